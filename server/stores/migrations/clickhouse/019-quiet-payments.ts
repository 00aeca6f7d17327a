/**
 * Months of payments and curb sessions without new rows for two hours are merged into one part, which
 * `final` reads without merging.
 */
export const schema = {
  name: '019-quiet-payments',
  statements: ['curb_payments', 'curb_sessions'].map(
    (table) =>
      `alter table ${table} modify setting min_age_to_force_merge_seconds = 7200, min_age_to_force_merge_on_partition_only = 1`,
  ),
}
