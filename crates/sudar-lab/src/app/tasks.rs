//! Things to try in a demo, and whether they are done.

use crate::demo::Demo;

/// What of it is done: once done it stays so, from one day to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tasks {
    pub done: [bool; 3],
}

impl Tasks {
    /// With what was done before.
    pub fn new(done: [bool; 3]) -> Self {
        Self { done }
    }

    /// Notes what is done at this moment.
    pub fn note(&mut self, demo: &dyn Demo) {
        for (done, task) in self.done.iter_mut().zip(demo.tasks()) {
            *done |= task.is_done;
        }
    }

    /// A list with a mark at each that is done.
    pub fn show(&self, ui: &mut egui::Ui, demo: &dyn Demo) {
        let count = self.done.iter().filter(|done| **done).count();
        let title =
            if count == 3 { "Try this: all done".to_owned() } else { format!("Try this: {count} of 3 done") };
        egui::CollapsingHeader::new(title).id_salt("tasks").default_open(count < 3).show(ui, |ui| {
            for (done, task) in self.done.into_iter().zip(demo.tasks()) {
                ui.horizontal_top(|ui| {
                    // Only doing it ticks it.
                    ui.add_enabled(false, egui::Checkbox::without_text(&mut { done }));
                    let says = egui::RichText::new(task.says);
                    ui.add(egui::Label::new(if done { says.weak() } else { says }).wrap());
                });
            }
        });
    }
}
