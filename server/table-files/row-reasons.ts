/** The reasons why rows of files other than trip files are rejected. */
export const fileReasons = {
  empty_row: 'Every field is empty',
  column_count: 'More or fewer fields than the header',
  unclosed_quote: 'A quotation mark opens and never closes',
  bad_coordinate: 'A coordinate is not a number',
  no_place: 'No longitude and latitude',
  outside_earth: 'Longitude or latitude is out of range',
  time_outside: 'A time is outside the years 1990 to 2100',
  not_a_record: 'The entry is not a record with fields',
  no_issue_id: 'No case number',
  no_requested_time: 'No request time',
  bad_requested_time: 'The request time is not valid',
  bad_closed_time: 'The closing time is not valid',
  bad_updated_time: 'The time of the last update is not valid',
  no_day: 'No date',
  bad_day: 'The date is not valid',
  bad_figure: 'A value is not a number',
  impossible_figure: 'A value is impossible',
  failed_check: "The values failed the source's quality check",
  no_figures: 'The day has no values',
  no_vehicle_id: 'No vehicle id',
  duplicate_vehicle: 'The same vehicle is on an earlier line of this file',
  bad_operator: 'The operator name is not valid',
  bad_flag: 'A yes/no value is neither yes nor no',
} as const

export type FileReason = keyof typeof fileReasons
