select operator, shape, sum(part.available_ms) as available_ms, sum(part.reserved_ms) as reserved_ms, sum(part.non_operational_ms) as non_operational_ms, sum(part.non_contactable_ms) as non_contactable_ms
    from (
      select
        *,
        arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), {p0:UInt32})) as shape
      from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(f0)))) as shapes from (select *, if(c0 >= {p1:UInt64}, arrayElement(f0_faces, bitXor(f0_ref, f0_crossed) + 1), c0) as f0 from (select *, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= lon) != (hx <= f0_rx)) != (x0 <= lon and lon < x1 and ((y0 + (lon - x0) * slope <= lat) != (y0 + (lon - x0) * slope <= f0_ry))), bit, toUInt32(0)), f0_x0, f0_x1, f0_y0, f0_slope, f0_hx, f0_bit)) as f0_crossed from (select *, dictGet('mi_0_edges', 'rx', f0_cell) as f0_rx, dictGet('mi_0_edges', 'ry', f0_cell) as f0_ry, dictGet('mi_0_edges', 'faces', f0_cell) as f0_faces, dictGet('mi_0_edges', 'ref', f0_cell) as f0_ref, dictGet('mi_0_edges', 'x0', f0_cell) as f0_x0, dictGet('mi_0_edges', 'x1', f0_cell) as f0_x1, dictGet('mi_0_edges', 'y0', f0_cell) as f0_y0, dictGet('mi_0_edges', 'slope', f0_cell) as f0_slope, dictGet('mi_0_edges', 'hx', f0_cell) as f0_hx, dictGet('mi_0_edges', 'bit', f0_cell) as f0_bit from (select *, toUInt64(if(c0 >= {p2:UInt64}, c0 - {p3:UInt64}, {p4:UInt64})) as f0_cell from (
    select
      operator, c0, at_lon as lon,
      at_lat as lat,
      sum(part.available_ms) as available_ms, sum(part.reserved_ms) as reserved_ms, sum(part.non_operational_ms) as non_operational_ms, sum(part.non_contactable_ms) as non_contactable_ms
    from (
      select *, if(c0 >= {p5:UInt64}, place.lon, 0) as at_lon, if(c0 >= {p5:UInt64}, place.lat, 0) as at_lat
      from (select *, if(c0_coarse >= {p6:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p7:UInt64} + (c0_coarse - {p8:UInt64}) * {p9:UInt64} + least(toUInt64((c0_v - c0_j) * {p10:UInt64}), {p11:UInt64}) * {p12:UInt64} + least(toUInt64((c0_u - c0_i) * {p13:UInt64}), {p14:UInt64}))), c0_coarse) as c0 from (select *, if(c0_inside, dictGet('mi_0_codes', 'code', c0_j * {p15:UInt64} + c0_i), toUInt32(0)) as c0_coarse from (select *, least(toUInt64(c0_u), {p16:UInt64}) as c0_i, least(toUInt64(c0_v), {p17:UInt64}) as c0_j from (select *, if(c0_inside, (lon - {p18:Float64}) / {p19:Float64}, 0) as c0_u, if(c0_inside, (lat - {p20:Float64}) / {p21:Float64}, 0) as c0_v from (select *, lon >= {p18:Float64} and lon < {p22:Float64} and lat >= {p20:Float64} and lat < {p23:Float64} as c0_inside from (select lon, lat, operator, if(state = {p24:String}, part_ends - part_begins, 0) as available_ms, if(state = {p25:String}, part_ends - part_begins, 0) as reserved_ms, if(state = {p26:String}, part_ends - part_begins, 0) as non_operational_ms, if(state = {p27:String}, part_ends - part_begins, 0) as non_contactable_ms from (select *, clipped_begins as part_begins, clipped_ends as part_ends from (
  select *, greatest(begins, {p28:Int64}) as clipped_begins, least(ends, {p29:Int64}) as clipped_ends
  from (
  select
    operator, state, lon, lat,
    toUnixTimestamp64Milli(from_time) as begins,
    least(toUnixTimestamp64Milli(least(to_time, from_time + toIntervalHour({p30:UInt32}))), {p31:Int64}) as ends
  from (select * from vehicle_intervals final where region_id in {scope_regions:Array(String)})
  where region_id = {p32:String} and operator in {p33:Array(String)} and vehicle_type = {p34:String} and state in {p35:Array(String)}
    and from_time < fromUnixTimestamp64Milli({p36:Int64}) and from_time > fromUnixTimestamp64Milli({p37:Int64}) - toIntervalHour({p30:UInt32}) and to_time > fromUnixTimestamp64Milli({p38:Int64}))
  where begins < {p29:Int64} and ends > {p28:Int64} and ends > begins)))))))) as place
    ) as part
    group by operator, c0, at_lon, at_lat))))))
      
    ) as part
    group by operator, shape
    order by operator, shape

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
-- p24 = "available"
-- p25 = "reserved"
-- p26 = "non_operational"
-- p27 = "non_contactable"
-- p28 = "1767243600000"
-- p29 = "1769922000000"
-- p30 = 48
-- p31 = "1771113600000"
-- scope_regions = ["here"]
-- p32 = "here"
-- p33 = ["zephyr"]
-- p34 = "bicycle"
-- p35 = ["available","reserved","non_operational","non_contactable"]
-- p36 = "1769922000000"
-- p37 = "1767243600000"
-- p38 = "1767243600000"
