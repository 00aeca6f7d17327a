select operator, shape, sum(part.available_ms) as available_ms, sum(part.reserved_ms) as reserved_ms, sum(part.non_operational_ms) as non_operational_ms, sum(part.non_contactable_ms) as non_contactable_ms
    from (
      select
        *,
        arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), {p0:UInt32})) as shape
      from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(f0)))) as shapes from (select *, if(c0 >= {p1:UInt64}, arrayElement(f0_faces, bitXor(f0_ref, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= lon) != (hx <= f0_rx)) != (x0 <= lon and lon < x1 and ((y0 + (lon - x0) * slope <= lat) != (y0 + (lon - x0) * slope <= f0_ry))), bit, toUInt32(0)), f0_x0, f0_x1, f0_y0, f0_slope, f0_hx, f0_bit))) + 1), c0) as f0 from (select *, dictGet('mi_0_edges', 'rx', bitXor(c0, {p2:UInt64})) as f0_rx, dictGet('mi_0_edges', 'ry', bitXor(c0, {p2:UInt64})) as f0_ry, dictGet('mi_0_edges', 'faces', bitXor(c0, {p2:UInt64})) as f0_faces, dictGet('mi_0_edges', 'ref', bitXor(c0, {p2:UInt64})) as f0_ref, dictGet('mi_0_edges', 'x0', bitXor(c0, {p2:UInt64})) as f0_x0, dictGet('mi_0_edges', 'x1', bitXor(c0, {p2:UInt64})) as f0_x1, dictGet('mi_0_edges', 'y0', bitXor(c0, {p2:UInt64})) as f0_y0, dictGet('mi_0_edges', 'slope', bitXor(c0, {p2:UInt64})) as f0_slope, dictGet('mi_0_edges', 'hx', bitXor(c0, {p2:UInt64})) as f0_hx, dictGet('mi_0_edges', 'bit', bitXor(c0, {p2:UInt64})) as f0_bit from (
    select
      operator, c0, at_lon as lon,
      at_lat as lat,
      sum(part.available_ms) as available_ms, sum(part.reserved_ms) as reserved_ms, sum(part.non_operational_ms) as non_operational_ms, sum(part.non_contactable_ms) as non_contactable_ms
    from (
      select *, if(c0 >= {p3:UInt64}, place.lon, 0) as at_lon, if(c0 >= {p3:UInt64}, place.lat, 0) as at_lat
      from (select *, if(c0_coarse >= {p4:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p5:UInt64} + (c0_coarse - {p6:UInt64}) * {p7:UInt64} + least(toUInt64((c0_v - least(toUInt64(c0_v), {p8:UInt64})) * {p9:UInt64}), {p10:UInt64}) * {p11:UInt64} + least(toUInt64((c0_u - least(toUInt64(c0_u), {p12:UInt64})) * {p13:UInt64}), {p14:UInt64}))), c0_coarse) as c0 from (select *, if(c0_inside, dictGet('mi_0_codes', 'code', least(toUInt64(c0_v), {p8:UInt64}) * {p15:UInt64} + least(toUInt64(c0_u), {p12:UInt64})), toUInt32(0)) as c0_coarse from (select *, lon >= {p16:Float64} and lon < {p17:Float64} and lat >= {p18:Float64} and lat < {p19:Float64} as c0_inside, if(lon >= {p16:Float64} and lon < {p17:Float64}, (lon - {p16:Float64}) / {p20:Float64}, 0) as c0_u, if(lat >= {p18:Float64} and lat < {p19:Float64}, (lat - {p18:Float64}) / {p21:Float64}, 0) as c0_v from (select lon, lat, operator, if(state = {p22:String}, part_ends - part_begins, 0) as available_ms, if(state = {p23:String}, part_ends - part_begins, 0) as reserved_ms, if(state = {p24:String}, part_ends - part_begins, 0) as non_operational_ms, if(state = {p25:String}, part_ends - part_begins, 0) as non_contactable_ms from (select *, clipped_begins as part_begins, clipped_ends as part_ends from (
  select *, greatest(begins, {p26:Int64}) as clipped_begins, least(ends, {p27:Int64}) as clipped_ends
  from (
  select
    operator, state, lon, lat,
    toUnixTimestamp64Milli(from_time) as begins,
    least(toUnixTimestamp64Milli(least(to_time, from_time + toIntervalHour({p28:UInt32}))), {p29:Int64}) as ends
  from (select * from vehicle_intervals final where region_id in {scope_regions:Array(String)})
  where region_id = {p30:String} and operator in {p31:Array(String)} and vehicle_type = {p32:String} and state in {p33:Array(String)}
    and from_time < fromUnixTimestamp64Milli({p34:Int64}) and from_time > fromUnixTimestamp64Milli({p35:Int64}) - toIntervalHour({p28:UInt32}) and to_time > fromUnixTimestamp64Milli({p36:Int64}))
  where begins < {p27:Int64} and ends > {p26:Int64} and ends > begins)))))) as place
    ) as part
    group by operator, c0, at_lon, at_lat))))
      
    ) as part
    group by operator, shape
    order by operator, shape

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
-- p22 = "available"
-- p23 = "reserved"
-- p24 = "non_operational"
-- p25 = "non_contactable"
-- p26 = "1767243600000"
-- p27 = "1769922000000"
-- p28 = 48
-- p29 = "1771113600000"
-- scope_regions = ["here"]
-- p30 = "here"
-- p31 = ["zephyr"]
-- p32 = "bicycle"
-- p33 = ["available","reserved","non_operational","non_contactable"]
-- p34 = "1769922000000"
-- p35 = "1767243600000"
-- p36 = "1767243600000"
