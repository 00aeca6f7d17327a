select shape, sum(part.events) as events, sum(part.length_ms) as length_ms, sum(part.parked_ms) as parked_ms
    from (
      select
        *,
        arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), {p0:UInt32})) as shape
      from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(f0)))) as shapes from (select *, if(c0 >= {p1:UInt64}, arrayElement(f0_faces, bitXor(f0_ref, f0_crossed) + 1), c0) as f0 from (select *, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= lon) != (hx <= f0_rx)) != (x0 <= lon and lon < x1 and ((y0 + (lon - x0) * slope <= lat) != (y0 + (lon - x0) * slope <= f0_ry))), bit, toUInt32(0)), f0_x0, f0_x1, f0_y0, f0_slope, f0_hx, f0_bit)) as f0_crossed from (select *, dictGet('mi_0_edges', 'rx', f0_cell) as f0_rx, dictGet('mi_0_edges', 'ry', f0_cell) as f0_ry, dictGet('mi_0_edges', 'faces', f0_cell) as f0_faces, dictGet('mi_0_edges', 'ref', f0_cell) as f0_ref, dictGet('mi_0_edges', 'x0', f0_cell) as f0_x0, dictGet('mi_0_edges', 'x1', f0_cell) as f0_x1, dictGet('mi_0_edges', 'y0', f0_cell) as f0_y0, dictGet('mi_0_edges', 'slope', f0_cell) as f0_slope, dictGet('mi_0_edges', 'hx', f0_cell) as f0_hx, dictGet('mi_0_edges', 'bit', f0_cell) as f0_bit from (select *, toUInt64(if(c0 >= {p2:UInt64}, c0 - {p3:UInt64}, {p4:UInt64})) as f0_cell from (
    select
      c0, at_lon as lon,
      at_lat as lat,
      sum(part.events) as events, sum(part.length_ms) as length_ms, sum(part.parked_ms) as parked_ms
    from (
      select *, if(c0 >= {p5:UInt64}, place.lon, 0) as at_lon, if(c0 >= {p5:UInt64}, place.lat, 0) as at_lat
      from (select *, if(c0_coarse >= {p6:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p7:UInt64} + (c0_coarse - {p8:UInt64}) * {p9:UInt64} + least(toUInt64((c0_v - c0_j) * {p10:UInt64}), {p11:UInt64}) * {p12:UInt64} + least(toUInt64((c0_u - c0_i) * {p13:UInt64}), {p14:UInt64}))), c0_coarse) as c0 from (select *, if(c0_inside, dictGet('mi_0_codes', 'code', c0_j * {p15:UInt64} + c0_i), toUInt32(0)) as c0_coarse from (select *, least(toUInt64(c0_u), {p16:UInt64}) as c0_i, least(toUInt64(c0_v), {p17:UInt64}) as c0_j from (select *, if(c0_inside, (lon - {p18:Float64}) / {p19:Float64}, 0) as c0_u, if(c0_inside, (lat - {p20:Float64}) / {p21:Float64}, 0) as c0_v from (select *, lon >= {p18:Float64} and lon < {p22:Float64} and lat >= {p20:Float64} and lat < {p23:Float64} as c0_inside from (
  select
    lon, lat,
    toUInt64(begins = part_begins) as events,
    if(begins = part_begins, greatest(0, least(ends, {p24:Int64}) - begins), 0) as length_ms,
    greatest(0, least(part_ends, {p24:Int64}) - part_begins) as parked_ms
  from (
  with
    -- one row per slice that an interval overlaps: slice n begins at n * length - shift
    by_slice as (
      select *, toInt64(arrayJoin(range(toUInt32(intDiv(clipped_begins + {p25:Int64}, {p26:Int64})), toUInt32(intDiv(clipped_ends - 1 + {p25:Int64}, {p26:Int64})) + 1))) as slice
      from (
  select *, greatest(begins, {p27:Int64}) as clipped_begins, least(ends, {p28:Int64}) as clipped_ends
  from (select * from (
  select operator, vehicle_type, lon, lat, toUnixTimestamp64Milli(from_time) as begins, toUnixTimestamp64Milli(to_time) as ends
  from (select * from parking_events final where region_id in {scope_regions:Array(String)})
  where region_id = {p29:String} and operator in {p30:Array(String)} and vehicle_type = {p31:String}
    and from_time >= fromUnixTimestamp64Milli({p32:Int64}) - toIntervalDay({p33:UInt8}) and from_time < fromUnixTimestamp64Milli({p34:Int64}) and to_time > fromUnixTimestamp64Milli({p35:Int64})
  union all 
  select operator, vehicle_type, lon, lat, toUnixTimestamp64Milli(from_time) as begins, toUnixTimestamp64Milli(to_time) as ends
  from (select * from parking_events final where region_id in {scope_regions:Array(String)})
  where region_id = {p29:String} and operator in {p30:Array(String)} and vehicle_type = {p31:String}
    and from_time < fromUnixTimestamp64Milli({p32:Int64}) - toIntervalDay({p33:UInt8}) and to_time > fromUnixTimestamp64Milli({p36:Int64}) and (operator, device_id, from_time) in (
      select operator, device_id, from_time from (select * from long_rests where region_id in {scope_regions:Array(String)})
      where region_id = {p37:String} and from_time < fromUnixTimestamp64Milli({p32:Int64}) - toIntervalDay({p33:UInt8}) and to_time > fromUnixTimestamp64Milli({p38:Int64})
    )) where least(ends, {p24:Int64}) - begins >= {p39:Int64})
  where begins < {p28:Int64} and ends > {p27:Int64} and ends > begins)
    ),
    with_local_time as (
      select *, toTimeZone(toDateTime(intDiv(slice * {p26:Int64} - {p25:Int64}, 1000), 'UTC'), {p40:String}) as local
      from by_slice
    )
  select
    *,
    greatest(clipped_begins, slice * {p26:Int64} - {p25:Int64}) as part_begins,
    least(clipped_ends, (slice + 1) * {p26:Int64} - {p25:Int64}) as part_ends
  from with_local_time
  where toDayOfWeek(local) in {p41:Array(UInt8)} and toHour(local) >= {p42:UInt8} and toHour(local) <= {p43:UInt8}))))))) as place
    ) as part
    group by c0, at_lon, at_lat))))))
      
    ) as part
    group by shape
    order by shape

-- p0 = 4294967295
-- p1 = 2147483648
-- p2 = 2147483648
-- p3 = 2147483648
-- p4 = 2147483646
-- p5 = 2147483648
-- p6 = 1073741824
-- p7 = 16
-- p8 = 1073741824
-- p9 = 64
-- p10 = 8
-- p11 = 7
-- p12 = 8
-- p13 = 8
-- p14 = 7
-- p15 = 4
-- p16 = 3
-- p17 = 3
-- p18 = -1
-- p19 = 0.5
-- p20 = -1
-- p21 = 0.5
-- p22 = 1
-- p23 = 1
-- p24 = "1769925600000"
-- p25 = 0
-- p26 = 3600000
-- p27 = "1767243600000"
-- p28 = "1769922000000"
-- scope_regions = ["here"]
-- p29 = "here"
-- p30 = ["zephyr"]
-- p31 = "bicycle"
-- p32 = "1767243600000"
-- p33 = 7
-- p34 = "1769922000000"
-- p35 = "1767243600000"
-- p36 = "1767243600000"
-- p37 = "here"
-- p38 = "1767243600000"
-- p39 = 3600000
-- p40 = "America/New_York"
-- p41 = [1,7]
-- p42 = 7
-- p43 = 18
