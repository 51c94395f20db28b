//! How texts and controls look.

use egui::{Context, FontFamily, FontId, TextStyle, Theme};

/// Text that is read at arm's length, on a dark ground whatever the desktop has.
pub fn set_style(context: &Context) {
    context.set_theme(Theme::Dark);
    context.all_styles_mut(|style| {
        for (kind, size) in [(TextStyle::Body, 14.0), (TextStyle::Button, 14.0), (TextStyle::Small, 12.0)] {
            style.text_styles.insert(kind, FontId::new(size, FontFamily::Proportional));
        }
        style.spacing.slider_width = 96.0;
        style.visuals.override_text_color = Some(egui::Color32::from_gray(225));
        style.visuals.weak_text_color = Some(egui::Color32::from_gray(170));
    });
}
