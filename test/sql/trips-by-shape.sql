select shape,
  sum(n * here_o) as orig, sum(n * here_d) as dest, sum(n * (here_o or here_d)) as either,
  sum(measured * here_o) as orig_measured, sum(measured * here_d) as dest_measured,
  sum(metres * here_o) as orig_metres, sum(metres * here_d) as dest_metres
from (
  select n, measured, metres, shape, has(arrayPushBack(os, {p0:UInt32}), shape) and true as here_o, has(arrayPushBack(ds, {p0:UInt32}), shape) and true as here_d
  from (select *, if(empty(o_shapes), [toUInt32(0)], o_shapes) as os, if(empty(d_shapes), [toUInt32(0)], d_shapes) as ds from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fo0)))) as o_shapes, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fd0)))) as d_shapes from (select *, if(o0 >= {p1:UInt64}, arrayElement(fo0_faces, bitXor(fo0_ref, fo0_crossed) + 1), o0) as fo0, if(d0 >= {p2:UInt64}, arrayElement(fd0_faces, bitXor(fd0_ref, fd0_crossed) + 1), d0) as fd0 from (select *, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= start_lon) != (hx <= fo0_rx)) != (x0 <= start_lon and start_lon < x1 and ((y0 + (start_lon - x0) * slope <= start_lat) != (y0 + (start_lon - x0) * slope <= fo0_ry))), bit, toUInt32(0)), fo0_x0, fo0_x1, fo0_y0, fo0_slope, fo0_hx, fo0_bit)) as fo0_crossed, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= end_lon) != (hx <= fd0_rx)) != (x0 <= end_lon and end_lon < x1 and ((y0 + (end_lon - x0) * slope <= end_lat) != (y0 + (end_lon - x0) * slope <= fd0_ry))), bit, toUInt32(0)), fd0_x0, fd0_x1, fd0_y0, fd0_slope, fd0_hx, fd0_bit)) as fd0_crossed from (select *, dictGet('mi_0_edges', 'rx', fo0_cell) as fo0_rx, dictGet('mi_0_edges', 'ry', fo0_cell) as fo0_ry, dictGet('mi_0_edges', 'faces', fo0_cell) as fo0_faces, dictGet('mi_0_edges', 'ref', fo0_cell) as fo0_ref, dictGet('mi_0_edges', 'x0', fo0_cell) as fo0_x0, dictGet('mi_0_edges', 'x1', fo0_cell) as fo0_x1, dictGet('mi_0_edges', 'y0', fo0_cell) as fo0_y0, dictGet('mi_0_edges', 'slope', fo0_cell) as fo0_slope, dictGet('mi_0_edges', 'hx', fo0_cell) as fo0_hx, dictGet('mi_0_edges', 'bit', fo0_cell) as fo0_bit, dictGet('mi_0_edges', 'rx', fd0_cell) as fd0_rx, dictGet('mi_0_edges', 'ry', fd0_cell) as fd0_ry, dictGet('mi_0_edges', 'faces', fd0_cell) as fd0_faces, dictGet('mi_0_edges', 'ref', fd0_cell) as fd0_ref, dictGet('mi_0_edges', 'x0', fd0_cell) as fd0_x0, dictGet('mi_0_edges', 'x1', fd0_cell) as fd0_x1, dictGet('mi_0_edges', 'y0', fd0_cell) as fd0_y0, dictGet('mi_0_edges', 'slope', fd0_cell) as fd0_slope, dictGet('mi_0_edges', 'hx', fd0_cell) as fd0_hx, dictGet('mi_0_edges', 'bit', fd0_cell) as fd0_bit from (select *, toUInt64(if(o0 >= {p3:UInt64}, o0 - {p4:UInt64}, {p5:UInt64})) as fo0_cell, toUInt64(if(d0 >= {p6:UInt64}, d0 - {p7:UInt64}, {p8:UInt64})) as fd0_cell from (select p.1 as start_lon, p.2 as start_lat, p.3 as end_lon, p.4 as end_lat, if(whole, 1, pairs) as n, if(whole, p.5, pairs_measured) as measured, if(whole, p.6, pairs_metres) as metres, if(whole, tupleElement(p, {p9:UInt8}), ko0) as o0, if(whole, tupleElement(p, {p10:UInt8}), kd0) as d0 from (select if(whole, toUInt32(0), o0) as ko0, if(whole, toUInt32(0), d0) as kd0, whole, count() as pairs, sum(measured) as pairs_measured, sum(metres) as pairs_metres, groupArrayIf((start_lon, start_lat, end_lon, end_lat, measured, metres, o0, d0), whole) as points from (select *, toUInt8(o0 >= {p11:UInt64} or d0 >= {p12:UInt64}) as whole from (select *, if(o0_coarse >= {p13:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p14:UInt64} + (o0_coarse - {p15:UInt64}) * {p16:UInt64} + least(toUInt64((o0_v - o0_j) * {p17:UInt64}), {p18:UInt64}) * {p19:UInt64} + least(toUInt64((o0_u - o0_i) * {p20:UInt64}), {p21:UInt64}))), o0_coarse) as o0, if(d0_coarse >= {p22:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p23:UInt64} + (d0_coarse - {p24:UInt64}) * {p25:UInt64} + least(toUInt64((d0_v - d0_j) * {p26:UInt64}), {p27:UInt64}) * {p28:UInt64} + least(toUInt64((d0_u - d0_i) * {p29:UInt64}), {p30:UInt64}))), d0_coarse) as d0 from (select *, if(o0_inside, dictGet('mi_0_codes', 'code', o0_j * {p31:UInt64} + o0_i), toUInt32(0)) as o0_coarse, if(d0_inside, dictGet('mi_0_codes', 'code', d0_j * {p32:UInt64} + d0_i), toUInt32(0)) as d0_coarse from (select *, least(toUInt64(o0_u), {p33:UInt64}) as o0_i, least(toUInt64(o0_v), {p34:UInt64}) as o0_j, least(toUInt64(d0_u), {p35:UInt64}) as d0_i, least(toUInt64(d0_v), {p36:UInt64}) as d0_j from (select *, if(o0_inside, (start_lon - {p37:Float64}) / {p38:Float64}, 0) as o0_u, if(o0_inside, (start_lat - {p39:Float64}) / {p40:Float64}, 0) as o0_v, if(d0_inside, (end_lon - {p41:Float64}) / {p42:Float64}, 0) as d0_u, if(d0_inside, (end_lat - {p43:Float64}) / {p44:Float64}, 0) as d0_v from (select *, start_lon >= {p37:Float64} and start_lon < {p45:Float64} and start_lat >= {p39:Float64} and start_lat < {p46:Float64} as o0_inside, end_lon >= {p41:Float64} and end_lon < {p47:Float64} and end_lat >= {p43:Float64} and end_lat < {p48:Float64} as d0_inside from (select start_lon, start_lat, end_lon, end_lat, toUInt8(isFinite(distance_m) and bitAnd(quality, {p49:UInt16}) = 0) as measured, if(measured, distance_m, 0) as metres from (select * from trips final where region_id in {scope_regions:Array(String)}) where region_id = {p50:String} and local_date >= {p51:Date} and local_date <= {p52:Date} and operator in {p53:Array(String)} and vehicle_type = {p54:String} and toDayOfWeek(local_date) in {p55:Array(UInt8)} and local_hour >= {p56:UInt8} and local_hour <= {p57:UInt8}))))))) group by ko0, kd0, whole) left array join points as p))))))) array join arrayDistinct(arrayConcat(os, ds, [{p0:UInt32}])) as shape
)
group by shape order by shape

-- p0 = 4294967295
-- p1 = 2147483648
-- p2 = 2147483648
-- p3 = 2147483648
-- p4 = 2147483648
-- p5 = 2147483646
-- p6 = 2147483648
-- p7 = 2147483648
-- p8 = 2147483646
-- p9 = 7
-- p10 = 8
-- p11 = 2147483648
-- p12 = 2147483648
-- p13 = 1073741824
-- p14 = 16
-- p15 = 1073741824
-- p16 = 64
-- p17 = 8
-- p18 = 7
-- p19 = 8
-- p20 = 8
-- p21 = 7
-- p22 = 1073741824
-- p23 = 16
-- p24 = 1073741824
-- p25 = 64
-- p26 = 8
-- p27 = 7
-- p28 = 8
-- p29 = 8
-- p30 = 7
-- p31 = 4
-- p32 = 4
-- p33 = 3
-- p34 = 3
-- p35 = 3
-- p36 = 3
-- p37 = -1
-- p38 = 0.5
-- p39 = -1
-- p40 = 0.5
-- p41 = -1
-- p42 = 0.5
-- p43 = -1
-- p44 = 0.5
-- p45 = 1
-- p46 = 1
-- p47 = 1
-- p48 = 1
-- p49 = 63
-- scope_regions = ["here"]
-- p50 = "here"
-- p51 = "2026-01-01"
-- p52 = "2026-01-31"
-- p53 = ["zephyr"]
-- p54 = "bicycle"
-- p55 = [1,7]
-- p56 = 7
-- p57 = 18
