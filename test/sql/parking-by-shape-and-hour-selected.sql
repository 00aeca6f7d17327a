select bucket, shape, sum(part.events) as events, sum(part.length_ms) as length_ms, sum(part.parked_ms) as parked_ms
    from (
      select
        *,
        arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), {p0:UInt32})) as shape
      from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(f0)))) as shapes from (select *, if(c0 >= {p1:UInt64}, arrayElement(f0_faces, bitXor(f0_ref, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= lon) != (hx <= f0_rx)) != (x0 <= lon and lon < x1 and ((y0 + (lon - x0) * slope <= lat) != (y0 + (lon - x0) * slope <= f0_ry))), bit, toUInt32(0)), f0_x0, f0_x1, f0_y0, f0_slope, f0_hx, f0_bit))) + 1), c0) as f0 from (select *, dictGet('mi_0_edges', 'rx', bitXor(c0, {p2:UInt64})) as f0_rx, dictGet('mi_0_edges', 'ry', bitXor(c0, {p2:UInt64})) as f0_ry, dictGet('mi_0_edges', 'faces', bitXor(c0, {p2:UInt64})) as f0_faces, dictGet('mi_0_edges', 'ref', bitXor(c0, {p2:UInt64})) as f0_ref, dictGet('mi_0_edges', 'x0', bitXor(c0, {p2:UInt64})) as f0_x0, dictGet('mi_0_edges', 'x1', bitXor(c0, {p2:UInt64})) as f0_x1, dictGet('mi_0_edges', 'y0', bitXor(c0, {p2:UInt64})) as f0_y0, dictGet('mi_0_edges', 'slope', bitXor(c0, {p2:UInt64})) as f0_slope, dictGet('mi_0_edges', 'hx', bitXor(c0, {p2:UInt64})) as f0_hx, dictGet('mi_0_edges', 'bit', bitXor(c0, {p2:UInt64})) as f0_bit from (
    select
      bucket, c0, at_lon as lon,
      at_lat as lat,
      sum(part.events) as events, sum(part.length_ms) as length_ms, sum(part.parked_ms) as parked_ms
    from (
      select *, if(c0 >= {p3:UInt64}, place.lon, 0) as at_lon, if(c0 >= {p3:UInt64}, place.lat, 0) as at_lat
      from (select *, if(c0_coarse >= {p4:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p5:UInt64} + (c0_coarse - {p6:UInt64}) * {p7:UInt64} + least(toUInt64((c0_v - least(toUInt64(c0_v), {p8:UInt64})) * {p9:UInt64}), {p10:UInt64}) * {p11:UInt64} + least(toUInt64((c0_u - least(toUInt64(c0_u), {p12:UInt64})) * {p13:UInt64}), {p14:UInt64}))), c0_coarse) as c0 from (select *, if(c0_inside, dictGet('mi_0_codes', 'code', least(toUInt64(c0_v), {p8:UInt64}) * {p15:UInt64} + least(toUInt64(c0_u), {p12:UInt64})), toUInt32(0)) as c0_coarse from (select *, lon >= {p16:Float64} and lon < {p17:Float64} and lat >= {p18:Float64} and lat < {p19:Float64} as c0_inside, if(lon >= {p16:Float64} and lon < {p17:Float64}, (lon - {p16:Float64}) / {p20:Float64}, 0) as c0_u, if(lat >= {p18:Float64} and lat < {p19:Float64}, (lat - {p18:Float64}) / {p21:Float64}, 0) as c0_v from (
  select
    lon, lat, bucket,
    toUInt64(begins = part_begins) as events,
    if(begins = part_begins, greatest(0, least(ends, {p22:Int64}) - begins), 0) as length_ms,
    greatest(0, least(part_ends, {p22:Int64}) - part_begins) as parked_ms
  from (
  with
    -- one row per slice that an interval overlaps: slice n begins at n * length - shift
    by_slice as (
      select *, toInt64(arrayJoin(range(toUInt32(intDiv(clipped_begins + {p23:Int64}, {p24:Int64})), toUInt32(intDiv(clipped_ends - 1 + {p23:Int64}, {p24:Int64})) + 1))) as slice
      from (
  select *, greatest(begins, {p25:Int64}) as clipped_begins, least(ends, {p26:Int64}) as clipped_ends
  from (select * from (
  select operator, vehicle_type, lon, lat, toUnixTimestamp64Milli(from_time) as begins, toUnixTimestamp64Milli(to_time) as ends
  from (select * from parking_events final where region_id in {scope_regions:Array(String)})
  where region_id = {p27:String} and operator in {p28:Array(String)} and vehicle_type = {p29:String}
    and from_time >= fromUnixTimestamp64Milli({p30:Int64}) - toIntervalDay({p31:UInt8}) and from_time < fromUnixTimestamp64Milli({p32:Int64}) and to_time > fromUnixTimestamp64Milli({p33:Int64})
  union all 
  select operator, vehicle_type, lon, lat, toUnixTimestamp64Milli(from_time) as begins, toUnixTimestamp64Milli(to_time) as ends
  from (select * from parking_events final where region_id in {scope_regions:Array(String)})
  where region_id = {p27:String} and operator in {p28:Array(String)} and vehicle_type = {p29:String}
    and from_time < fromUnixTimestamp64Milli({p30:Int64}) - toIntervalDay({p31:UInt8}) and to_time > fromUnixTimestamp64Milli({p34:Int64}) and (operator, device_id, from_time) in (
      select operator, device_id, from_time from (select * from long_rests where region_id in {scope_regions:Array(String)})
      where region_id = {p35:String} and from_time < fromUnixTimestamp64Milli({p30:Int64}) - toIntervalDay({p31:UInt8}) and to_time > fromUnixTimestamp64Milli({p36:Int64})
    )) where least(ends, {p22:Int64}) - begins >= {p37:Int64})
  where begins < {p26:Int64} and ends > {p25:Int64} and ends > begins)
    ),
    with_local_time as (
      select *, toTimeZone(toDateTime(intDiv(slice * {p24:Int64} - {p23:Int64}, 1000), 'UTC'), {p38:String}) as local
      from by_slice
    )
  select
    *,
    greatest(clipped_begins, slice * {p24:Int64} - {p23:Int64}) as part_begins,
    least(clipped_ends, (slice + 1) * {p24:Int64} - {p23:Int64}) as part_ends, toString(toHour(local)) as bucket
  from with_local_time
  where toDayOfWeek(local) in {p39:Array(UInt8)} and toHour(local) >= {p40:UInt8} and toHour(local) <= {p41:UInt8}))))) as place
    ) as part
    group by bucket, c0, at_lon, at_lat))))
      where has(shapes, {p42:UInt32})
    ) as part
    group by bucket, shape
    order by bucket, shape

-- p0 = 4294967295
-- p1 = 2147483648
-- p2 = 2147483648
-- p3 = 2147483648
-- p4 = 1073741824
-- p5 = 16
-- p6 = 1073741824
-- p7 = 64
-- p8 = 3
-- p9 = 8
-- p10 = 7
-- p11 = 8
-- p12 = 3
-- p13 = 8
-- p14 = 7
-- p15 = 4
-- p16 = -1
-- p17 = 1
-- p18 = -1
-- p19 = 1
-- p20 = 0.5
-- p21 = 0.5
-- p22 = "1769925600000"
-- p23 = 0
-- p24 = 3600000
-- p25 = "1767243600000"
-- p26 = "1769922000000"
-- scope_regions = ["here"]
-- p27 = "here"
-- p28 = ["zephyr"]
-- p29 = "bicycle"
-- p30 = "1767243600000"
-- p31 = 7
-- p32 = "1769922000000"
-- p33 = "1767243600000"
-- p34 = "1767243600000"
-- p35 = "here"
-- p36 = "1767243600000"
-- p37 = 3600000
-- p38 = "America/New_York"
-- p39 = [1,7]
-- p40 = 7
-- p41 = 18
-- p42 = 3
