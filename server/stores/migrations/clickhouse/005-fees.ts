/** Fees of policies, derived by local day, and the facts of issued invoices. */
export const schema = {
  name: '005-fees',
  statements: [
    // fee_days: the charges of a revision of a fee policy on a local day, summed by price. quantity =
    // numerator / denominator in the unit. Trips have no price if free quantities or tiers are priced per
    // invoice. charge: empty, or the kind of a row other than a price, such as the reduction by a maximum.
    // facts: the trips, events and days behind the row. open: parking events that have not ended.
    `create table if not exists fee_days (
      region_id LowCardinality(String),
      policy_id UUID,
      day Date,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      charge LowCardinality(String),
      unit LowCardinality(String),
      price String,
      denominator UInt64,
      numerator Int64,
      facts UInt32,
      open UInt32,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYear(day) order by (region_id, day, policy_id, operator, vehicle_type, charge, unit, price, denominator)`,
    // invoice_facts: the facts behind an issued invoice, one row per trip, vehicle-day, or parking event
    // and price. Retained as long as the invoice, not as long as trips.
    `create table if not exists invoice_facts (
      region_id LowCardinality(String),
      invoice_id UUID,
      policy_id UUID,
      operator LowCardinality(String),
      kind LowCardinality(String),
      day Date,
      fact_id String,
      vehicle_id String,
      vehicle_type LowCardinality(String),
      from_time DateTime64(3, 'UTC'),
      to_time DateTime64(3, 'UTC'),
      charge LowCardinality(String),
      unit LowCardinality(String),
      price String,
      numerator Int64,
      denominator UInt64
    ) engine = MergeTree partition by toYear(day) order by (region_id, invoice_id, policy_id, day, from_time, fact_id)`,
  ],
}
