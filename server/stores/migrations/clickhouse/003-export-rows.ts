/** Rows of the state store that an export needs in the fact store, because ClickHouse writes the files. */
export const schema = {
  name: '003-export-rows',
  statements: [
    // A partition per export, dropped when its file is written. row: a JSON object with the columns of the table.
    `create table if not exists export_rows (
      region_id LowCardinality(String),
      export_id UUID,
      line UInt64,
      row String
    ) engine = MergeTree partition by export_id order by (region_id, export_id, line)`,
  ],
}
