/** Why a row of a file that holds no trips is set aside. */
export const fileReasons = {
  empty_row: 'Every field is empty',
  column_count: 'More or fewer fields than the header has',
  unclosed_quote: 'A quotation mark opens and never closes',
  bad_coordinate: 'A coordinate is not a number',
  no_place: 'No longitude and latitude',
  outside_earth: 'Longitude or latitude lies outside of the earth',
  time_outside: 'A time lies outside of the years 1990 to 2100',
  not_a_record: 'The entry is no record with fields',
  no_issue_id: 'No number of the case',
  no_requested_time: 'No time of the request',
  bad_requested_time: 'The time of the request cannot be read',
  bad_closed_time: 'The time of closing cannot be read',
  bad_updated_time: 'The time of the last change cannot be read',
  no_day: 'No day',
  bad_day: 'The day cannot be read',
  bad_figure: 'A figure is not a number',
  impossible_figure: 'A figure is impossible',
  failed_check: 'The figures failed the source’s own check',
  no_figures: 'No figure of this day is known',
  no_vehicle_id: 'No id of the vehicle',
  duplicate_vehicle: 'The same vehicle stands in an earlier line of this file',
  bad_operator: 'The operator is not a name',
  bad_flag: 'A yes or no is neither',
} as const

export type FileReason = keyof typeof fileReasons
