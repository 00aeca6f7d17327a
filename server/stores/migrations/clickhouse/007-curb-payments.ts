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

/** Parking payments, their sums, and remarks of imports about them (decision 046). */
export const schema = {
  name: '007-curb-payments',
  statements: [
    // curb_payments: one row per payment. day, hour: local time of the payment. parked_day, parked_hour:
    // local time of the start of parking, or of the payment if that is unknown. row_key: the vendor and its
    // row id, or a hash of the content. source: file, push or cds. kind, amount: as in the contract.
    // session_id: shared by the payments of one stay, '' for none. starts_session: whether this payment is
    // the first of them. purchased_seconds: time bought by this payment.
    `create table if not exists curb_payments (${payment},
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYYYYMM(day) order by (region_id, day, paid_time, row_key)`,
    // curb_payments_staging: rows of unpublished imports, with the lane that stitching needs.
    `create table if not exists curb_payments_staging (${payment},
      row UInt64,
      lane String,
      hint LowCardinality(String),
      is_cumulative UInt8
    ) engine = MergeTree partition by import_id order by (region_id, row_key, row)`,
    // curb_payment_rows: rows of files that were set aside or have a remark.
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
    // curb_payment_lanes: payments as reported, with the hash of a plate or session key and the place, for
    // stitching. Rows are removed when the stitching window is over, so that nothing of a plate remains.
    // session_id, starts_session, net_seconds: as derived most recently.
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
    // curb_payment_hours: sums of payments by local day and hour, without places. curb_payment_places: sums
    // by local day and place, without hours. basis: by the time of the payment (paid) or of the parking
    // (parked).
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
