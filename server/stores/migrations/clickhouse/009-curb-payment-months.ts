/** curb_payment_place_months: curb_payment_places by local month, for queries over years. month is its first day. */
export const schema = {
  name: '009-curb-payment-months',
  statements: [
    `create table if not exists curb_payment_place_months (
      region_id LowCardinality(String),
      basis LowCardinality(String),
      month Date,
      zone_id LowCardinality(String),
      location_id LowCardinality(String),
      vendor LowCardinality(String),
      payment_type LowCardinality(String),
      kind LowCardinality(String),
      payments UInt32,
      amount Int64,
      sessions UInt32,
      purchased_seconds UInt64,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYear(month) order by (region_id, basis, month, zone_id, location_id, vendor, payment_type, kind)`,
  ],
}
