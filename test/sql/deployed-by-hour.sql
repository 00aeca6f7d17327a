select bucket, toHour(local) as hour, operator, state, sum(part_ends - part_begins) as ms
  from (
  with
    -- one row per slice that an interval overlaps: slice n begins at n * length - shift
    by_slice as (
      select *, toInt64(arrayJoin(range(toUInt32(intDiv(clipped_begins + {p0:Int64}, {p1:Int64})), toUInt32(intDiv(clipped_ends - 1 + {p0:Int64}, {p1:Int64})) + 1))) as slice
      from (
  select *, greatest(begins, {p2:Int64}) as clipped_begins, least(ends, {p3:Int64}) as clipped_ends
  from (
  select
    operator, state,
    toUnixTimestamp64Milli(from_time) as begins,
    least(toUnixTimestamp64Milli(least(to_time, from_time + toIntervalHour({p4:UInt32}))), {p5:Int64}) as ends
  from (select * from vehicle_intervals final where region_id in {scope_regions:Array(String)})
  where region_id = {p6:String} and operator in {p7:Array(String)} and vehicle_type = {p8:String} and state in {p9:Array(String)}
    and from_time < fromUnixTimestamp64Milli({p10:Int64}) and from_time > fromUnixTimestamp64Milli({p11:Int64}) - toIntervalHour({p4:UInt32}) and to_time > fromUnixTimestamp64Milli({p12:Int64}))
  where begins < {p3:Int64} and ends > {p2:Int64} and ends > begins)
    ),
    with_local_time as (
      select *, toTimeZone(toDateTime(intDiv(slice * {p1:Int64} - {p0:Int64}, 1000), 'UTC'), {p13:String}) as local
      from by_slice
    )
  select
    *,
    greatest(clipped_begins, slice * {p1:Int64} - {p0:Int64}) as part_begins,
    least(clipped_ends, (slice + 1) * {p1:Int64} - {p0:Int64}) as part_ends, toString(toDate(local)) as bucket
  from with_local_time
  )
  group by bucket, hour, operator, state
  order by bucket, hour, operator, state

-- p0 = 0
-- p1 = 3600000
-- p2 = "1767243600000"
-- p3 = "1769922000000"
-- p4 = 48
-- p5 = "1771113600000"
-- scope_regions = ["here"]
-- p6 = "here"
-- p7 = ["zephyr"]
-- p8 = "bicycle"
-- p9 = ["available","non_operational","reserved","on_trip","stopped","non_contactable"]
-- p10 = "1769922000000"
-- p11 = "1767243600000"
-- p12 = "1767243600000"
-- p13 = "America/New_York"
