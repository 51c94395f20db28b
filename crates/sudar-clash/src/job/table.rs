//! Answers as a file of Apache Arrow, which data frames and data bases read.
//!
//! A row is a pair that clashes, or that a budget left open: `kind` is null there. The columns say what people ask for;
//! `record` has the answer to the last bit, and is what comes back.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array,
    UInt64Array,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, Field, Schema};
use sudar::Interval;

use super::answers::{Answer, Answers, AnswersError};
use super::chunk::Chunk;
use crate::fingerprint::Fingerprint;
use crate::found::Clash;

/// The keys of the chunk's name and of a checksum of all records in the metadata.
const CHUNK: &str = "sudar.chunk";
const CHECK: &str = "sudar.check";

impl Answers {
    /// The rows as an Arrow file in memory. Equal answers give equal bytes.
    ///
    /// # Errors
    /// Those of the writer, which has none for these columns.
    pub fn to_arrow(&self) -> Result<Vec<u8>, ArrowError> {
        let records: Vec<Vec<u8>> = self.rows().iter().map(Answer::record).collect();
        let check = format!("{:032x}", Fingerprint::of_bytes(&records.concat()));
        let metadata = [(CHUNK, self.chunk().to_owned()), (CHECK, check)];
        let metadata: HashMap<String, String> =
            metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let columns = columns(self.rows(), &records);
        let field = |(name, column, may_be_null): &(&str, ArrayRef, bool)| {
            Field::new(*name, column.data_type().clone(), *may_be_null)
        };
        let fields: Vec<Field> = columns.iter().map(field).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let columns = columns.into_iter().map(|(_, column, _)| column).collect();
        let batch = RecordBatch::try_new(schema.clone(), columns)?;
        let mut writer = FileWriter::try_new(Vec::new(), &schema)?;
        writer.write(&batch)?;
        writer.finish()?;
        writer.into_inner()
    }
}

impl Chunk {
    /// The answers of an Arrow file, of whatever origin: just what [`Answers::to_arrow`] writes of answers of this
    /// chunk is taken, and no other parser sees the bytes. O(n).
    ///
    /// # Errors
    /// [`AnswersError`].
    pub fn read_arrow(&self, bytes: &[u8]) -> Result<Answers, AnswersError> {
        let rows = Answer::of_records(bytes).ok_or(AnswersError::Damaged)?;
        let answers = self.answers(rows)?;
        let is_whole = answers.to_arrow().is_ok_and(|whole| whole == bytes);
        if is_whole { Ok(answers) } else { Err(AnswersError::Damaged) }
    }
}

/// The columns: name, values, and whether some may be null.
fn columns(rows: &[Answer], records: &[Vec<u8>]) -> Vec<(&'static str, ArrayRef, bool)> {
    let part = |which: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| row.pair[which] as u32).collect::<UInt32Array>())
    };
    let clash = || rows.iter().map(|row| row.found.as_ref());
    let number = |of: &dyn Fn(&Clash) -> Option<f64>| -> ArrayRef {
        Arc::new(clash().map(|clash| of(clash?)).collect::<Float64Array>())
    };
    let end =
        |interval: Option<Interval>, upper: bool| interval.map(|i| if upper { i.upper } else { i.lower });
    vec![
        ("a", part(0), false),
        ("b", part(1), false),
        ("kind", Arc::new(clash().map(|clash| Some(clash?.kind.name())).collect::<StringArray>()), true),
        ("uncertain", Arc::new(clash().map(|clash| Some(clash?.uncertain)).collect::<BooleanArray>()), true),
        ("distance_lower", number(&|clash| Some(clash.distance.lower)), true),
        ("distance_upper", number(&|clash| Some(clash.distance.upper)), true),
        ("depth_lower", number(&|clash| end(clash.depth, false)), true),
        ("depth_upper", number(&|clash| end(clash.depth, true)), true),
        ("x", number(&|clash| Some(clash.point.x)), true),
        ("y", number(&|clash| Some(clash.point.y)), true),
        ("z", number(&|clash| Some(clash.point.z)), true),
        (
            "triangle_pairs",
            Arc::new(clash().map(|clash| Some(clash?.triangle_pairs as u64)).collect::<UInt64Array>()),
            true,
        ),
        ("record", Arc::new(BinaryArray::from_iter_values(records)), false),
    ]
}
