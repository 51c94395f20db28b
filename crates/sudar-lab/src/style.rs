//! How texts and controls look.

use std::sync::Arc;

use egui::{Context, FontData, FontDefinitions, FontFamily, FontId, TextStyle, Theme};

/// The colour behind everything.
pub const GROUND: [f32; 4] = [0.1, 0.1, 0.11, 1.0];

/// Text that is read at arm's length, on a dark ground whatever the desktop has.
pub fn set_style(context: &Context) {
    context.set_fonts(fonts());
    context.set_theme(Theme::Dark);
    context.all_styles_mut(|style| {
        for (kind, size) in [(TextStyle::Body, 14.0), (TextStyle::Button, 14.0), (TextStyle::Small, 12.0)] {
            style.text_styles.insert(kind, FontId::new(size, FontFamily::Proportional));
        }
        style.spacing.slider_width = 96.0;
        // Panels show the ground: to fill them anew in each frame takes software some milliseconds.
        style.visuals.panel_fill = egui::Color32::TRANSPARENT;
        style.visuals.override_text_color = Some(egui::Color32::from_gray(225));
        style.visuals.weak_text_color = Some(egui::Color32::from_gray(170));
    });
}

/// One font for all texts, with the letters that they have (fonts/subset.py): those of egui are a fifth of the page.
fn fonts() -> FontDefinitions {
    let name = "letters".to_owned();
    let mut fonts = FontDefinitions::empty();
    fonts
        .font_data
        .insert(name.clone(), Arc::new(FontData::from_static(include_bytes!("../fonts/letters.ttf"))));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![name.clone()]);
    }
    fonts
}
