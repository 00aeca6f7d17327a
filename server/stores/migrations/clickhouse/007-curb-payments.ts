const payment = `
      region_id LowCardinality(String),
      day Date,
      hour UInt8,
      paid_time DateTime('UTC'),
      row_key String,
      vendor LowCardinality(String),
      source LowCardinality(String),
      kind LowCardinality(String),
      location_id LowCardinality(String),
      zone_id LowCardinality(String),
      amount Int64,
      payment_type LowCardinality(String),
      start_time Nullable(DateTime('UTC')),
      end_time Nullable(DateTime('UTC')),
      parked_day Date,
      parked_hour UInt8,
      purchased_seconds Nullable(UInt32),
      rate Nullable(UInt32),
      session_id String,
      starts_session UInt8,
      import_id UUID`

const sums = `
      vendor LowCardinality(String),
      payment_type LowCardinality(String),
      kind LowCardinality(String),
      payments UInt32,
      amount Int64,
      sessions UInt32,
      purchased_seconds UInt64,
      is_deleted UInt8,
      version UInt64`

/** Payments of parking, their sums and what imports report of them (decision 046). */
export const schema = {
  name: '007-curb-payments',
  statements: [
    // curb_payments: one row per payment. day, hour: of the payment, in the zone of the region. parked_day, parked_hour: of the
    // start of the parking, or of the payment where that is unknown. row_key: the vendor with its row id, or a hash of the content.
    // source: file, push or cds. kind, amount: as in the contract. session_id: shared by the payments of one stay, '' for none;
    // starts_session: the first of them. purchased_seconds: bought by this payment alone.
    `create table if not exists curb_payments (${payment},
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYYYYMM(day) order by (region_id, day, paid_time, row_key)`,
    // curb_payments_staging: rows of imports that are not published, with the lane that stitching needs.
    `create table if not exists curb_payments_staging (${payment},
      row UInt64,
      lane String,
      hint LowCardinality(String),
      is_cumulative UInt8
    ) engine = MergeTree partition by import_id order by (region_id, row_key, row)`,
    // curb_payment_rows: rows of files that are set aside or have a remark.
    `create table if not exists curb_payment_rows (
      region_id LowCardinality(String),
      import_id UUID,
      row UInt64,
      code LowCardinality(String),
      effect LowCardinality(String),
      message String,
      amount Nullable(Int64),
      source String
    ) engine = MergeTree partition by import_id order by (region_id, row, code)`,
    // curb_payment_lanes: payments with the hash of a plate or session key and their place, as they were reported, for stitching.
    // Rows are removed when the stitching window is over, so that nothing of a plate remains. session_id, starts_session, net_seconds:
    // as derived last.
    `create table if not exists curb_payment_lanes (
      region_id LowCardinality(String),
      lane String,
      paid_time DateTime('UTC'),
      row_key String,
      kind LowCardinality(String),
      start_time Nullable(DateTime('UTC')),
      end_time Nullable(DateTime('UTC')),
      purchased_seconds Nullable(UInt32),
      hint LowCardinality(String),
      is_cumulative UInt8,
      day Date,
      import_id UUID,
      received_time DateTime('UTC'),
      session_id String,
      starts_session UInt8,
      net_seconds Nullable(UInt32),
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) order by (region_id, lane, paid_time, row_key)`,
    // curb_payment_hours, curb_payment_places: sums of payments by local day, with hours and without places, and with places and
    // without hours. basis: by the time of the payment (paid) or of the parking (parked).
    `create table if not exists curb_payment_hours (
      region_id LowCardinality(String),
      basis LowCardinality(String),
      day Date,
      hour UInt8,${sums}
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYear(day) order by (region_id, basis, day, hour, vendor, payment_type, kind)`,
    `create table if not exists curb_payment_places (
      region_id LowCardinality(String),
      basis LowCardinality(String),
      day Date,
      zone_id LowCardinality(String),
      location_id LowCardinality(String),${sums}
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYear(day) order by (region_id, basis, day, zone_id, location_id, vendor, payment_type, kind)`,
  ],
}
