select bucket, toHour(local) as hour, operator, state, sum(part_ends - part_begins) as ms
  from (
  select
    *,
    greatest(in_begins, slice * {p0:Int64} - {p1:Int64}) as part_begins,
    least(in_ends, (slice + 1) * {p0:Int64} - {p1:Int64}) as part_ends, toString(toDate(local)) as bucket
  from (
    select *, toTimeZone(toDateTime(intDiv(slice * {p0:Int64} - {p1:Int64}, 1000), 'UTC'), {p2:String}) as local
    from (
      select *, toInt64(arrayJoin(range(toUInt32(intDiv(in_begins + {p1:Int64}, {p0:Int64})), toUInt32(intDiv(in_ends - 1 + {p1:Int64}, {p0:Int64})) + 1))) as slice
      from (
  select *, greatest(begins, {p3:Int64}) as in_begins, least(ends, {p4:Int64}) as in_ends
  from (
  select
    operator, state,
    toUnixTimestamp64Milli(from_time) as begins,
    least(toUnixTimestamp64Milli(least(to_time, from_time + toIntervalHour({p5:UInt32}))), {p6:Int64}) as ends
  from (select * from vehicle_intervals final where region_id in {scope_regions:Array(String)})
  where region_id = {p7:String} and operator in {p8:Array(String)} and vehicle_type = {p9:String} and state in {p10:Array(String)}
    and from_time < fromUnixTimestamp64Milli({p11:Int64}) and from_time > fromUnixTimestamp64Milli({p12:Int64}) - toIntervalHour({p5:UInt32}) and to_time > fromUnixTimestamp64Milli({p13:Int64}))
  where begins < {p4:Int64} and ends > {p3:Int64} and ends > begins)
    )
  )
  )
  group by bucket, hour, operator, state
  order by bucket, hour, operator, state

-- p0 = 3600000
-- p1 = 0
-- p2 = "America/New_York"
-- p3 = "1767243600000"
-- p4 = "1769922000000"
-- p5 = 48
-- p6 = "1771113600000"
-- scope_regions = ["here"]
-- p7 = "here"
-- p8 = ["zephyr"]
-- p9 = "bicycle"
-- p10 = ["available","non_operational","reserved","on_trip","stopped","non_contactable"]
-- p11 = "1769922000000"
-- p12 = "1767243600000"
-- p13 = "1767243600000"
