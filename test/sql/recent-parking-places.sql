select lon as startLon, lat as startLat
  from (
  with
    moments as (
      select *, toTimeZone(toDateTime(intDiv(bitXor(at, 0), 1000), 'UTC'), {p0:String}) as local
      from (
  select *
  from (
  select lon, lat, operator, device_id, toUnixTimestamp64Milli(from_time) as at
  from (select * from parking_events final where region_id in {scope_regions:Array(String)})
  where region_id = {p1:String}
    and from_time >= fromUnixTimestamp64Milli({p2:Int64}) and from_time < fromUnixTimestamp64Milli({p3:Int64}) and isFinite(lon) and isFinite(lat)
    and operator in {p4:Array(String)}
    and vehicle_type in {p5:Array(String)}
    and least(toInt64(toUnixTimestamp64Milli(to_time)), {p6:Int64}) - at >= {p7:Int64})
  where at >= {p8:Int64} and at < {p9:Int64})
    )
  select *
  from moments
  where toDayOfWeek(local) in {p10:Array(UInt8)} and toHour(local) >= {p11:UInt8} and toHour(local) <= {p12:UInt8})
  order by at desc, operator, device_id
  limit {p13:UInt32}

-- p0 = "America/New_York"
-- scope_regions = ["here"]
-- p1 = "here"
-- p2 = "1767243600000"
-- p3 = "1769922000000"
-- p4 = ["zephyr"]
-- p5 = ["bicycle"]
-- p6 = "1771113600000"
-- p7 = 1800000
-- p8 = "1767243600000"
-- p9 = "1769922000000"
-- p10 = [1,7]
-- p11 = 7
-- p12 = 18
-- p13 = 10000
