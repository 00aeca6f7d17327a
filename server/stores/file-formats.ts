/** Formats in which the engine writes files. */
export type FileFormat = 'csv' | 'csv.gz' | 'parquet' | 'geojson'

interface FileFormatOptions {
  /** ClickHouse's name of the format. */
  name: string
  /** How rows of a written file are counted: the format that reads it, and the aggregate that counts them. */
  counting: { format: string; rows: string }
  isGzip: boolean
  settings: Readonly<Record<string, string | number>>
}

export const gzipLevel = 3
/** Larger sorts use the disk, so that memory does not grow with the number of rows. */
const sortSettings = { max_bytes_before_external_sort: 512 * 2 ** 20 }

const csv: FileFormatOptions = {
  name: 'CSVWithNames',
  counting: { format: 'CSVWithNames', rows: 'count()' },
  isGzip: false,
  settings: {
    ...sortSettings,
    date_time_output_format: 'iso',
    format_csv_null_representation: '',
    output_format_csv_crlf_end_of_line: 1,
  },
}

/**
 * `csv`: RFC 4180 with a header; `csv.gz`: the same, compressed. `geojson`: a FeatureCollection; the query
 * returns each feature as JSON text in its only column.
 */
export const fileFormats: Readonly<Record<FileFormat, FileFormatOptions>> = {
  csv,
  'csv.gz': { ...csv, isGzip: true },
  parquet: {
    name: 'Parquet',
    counting: { format: 'Parquet', rows: 'count()' },
    isGzip: false,
    settings: { ...sortSettings, output_format_parquet_row_group_size: 100_000 },
  },
  geojson: {
    name: 'CustomSeparated',
    counting: { format: 'LineAsString', rows: `countIf(startsWith(line, '{"type":"Feature",'))` },
    isGzip: false,
    settings: {
      ...sortSettings,
      date_time_output_format: 'iso',
      output_format_json_quote_64bit_integers: 0,
      format_custom_escaping_rule: 'Raw',
      format_custom_result_before_delimiter: '{"type":"FeatureCollection","features":[\n',
      format_custom_row_before_delimiter: '',
      format_custom_row_after_delimiter: '',
      format_custom_row_between_delimiter: ',\n',
      format_custom_result_after_delimiter: '\n]}\n',
    },
  },
}

/** Interval at which the progress of a file is reported. */
export const progressMs = 1000
