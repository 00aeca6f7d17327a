select day, shape,
  sum(n * here_o) as orig, sum(n * here_d) as dest, sum(n * (here_o or here_d)) as either,
  sum(measured * here_o) as orig_measured, sum(measured * here_d) as dest_measured,
  sum(metres * here_o) as orig_metres, sum(metres * here_d) as dest_metres
from (
  select day, n, measured, metres, shape, has(arrayPushBack(os, {p0:UInt32}), shape) and has(ds, {p1:UInt32}) as here_o, has(arrayPushBack(ds, {p0:UInt32}), shape) and has(os, {p2:UInt32}) as here_d
  from (select *, if(empty(o_shapes), [toUInt32(0)], o_shapes) as os, if(empty(d_shapes), [toUInt32(0)], d_shapes) as ds from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fo0)))) as o_shapes, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fd0)))) as d_shapes from (select *, if(o0 >= {p3:UInt64}, arrayElement(fo0_faces, bitXor(fo0_ref, fo0_crossed) + 1), o0) as fo0, if(d0 >= {p4:UInt64}, arrayElement(fd0_faces, bitXor(fd0_ref, fd0_crossed) + 1), d0) as fd0 from (select *, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= start_lon) != (hx <= fo0_rx)) != (x0 <= start_lon and start_lon < x1 and ((y0 + (start_lon - x0) * slope <= start_lat) != (y0 + (start_lon - x0) * slope <= fo0_ry))), bit, toUInt32(0)), fo0_x0, fo0_x1, fo0_y0, fo0_slope, fo0_hx, fo0_bit)) as fo0_crossed, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= end_lon) != (hx <= fd0_rx)) != (x0 <= end_lon and end_lon < x1 and ((y0 + (end_lon - x0) * slope <= end_lat) != (y0 + (end_lon - x0) * slope <= fd0_ry))), bit, toUInt32(0)), fd0_x0, fd0_x1, fd0_y0, fd0_slope, fd0_hx, fd0_bit)) as fd0_crossed from (select *, dictGet('mi_0_edges', 'rx', fo0_cell) as fo0_rx, dictGet('mi_0_edges', 'ry', fo0_cell) as fo0_ry, dictGet('mi_0_edges', 'faces', fo0_cell) as fo0_faces, dictGet('mi_0_edges', 'ref', fo0_cell) as fo0_ref, dictGet('mi_0_edges', 'x0', fo0_cell) as fo0_x0, dictGet('mi_0_edges', 'x1', fo0_cell) as fo0_x1, dictGet('mi_0_edges', 'y0', fo0_cell) as fo0_y0, dictGet('mi_0_edges', 'slope', fo0_cell) as fo0_slope, dictGet('mi_0_edges', 'hx', fo0_cell) as fo0_hx, dictGet('mi_0_edges', 'bit', fo0_cell) as fo0_bit, dictGet('mi_0_edges', 'rx', fd0_cell) as fd0_rx, dictGet('mi_0_edges', 'ry', fd0_cell) as fd0_ry, dictGet('mi_0_edges', 'faces', fd0_cell) as fd0_faces, dictGet('mi_0_edges', 'ref', fd0_cell) as fd0_ref, dictGet('mi_0_edges', 'x0', fd0_cell) as fd0_x0, dictGet('mi_0_edges', 'x1', fd0_cell) as fd0_x1, dictGet('mi_0_edges', 'y0', fd0_cell) as fd0_y0, dictGet('mi_0_edges', 'slope', fd0_cell) as fd0_slope, dictGet('mi_0_edges', 'hx', fd0_cell) as fd0_hx, dictGet('mi_0_edges', 'bit', fd0_cell) as fd0_bit from (select *, toUInt64(if(o0 >= {p5:UInt64}, o0 - {p6:UInt64}, {p7:UInt64})) as fo0_cell, toUInt64(if(d0 >= {p8:UInt64}, d0 - {p9:UInt64}, {p10:UInt64})) as fd0_cell from (select day, p.1 as start_lon, p.2 as start_lat, p.3 as end_lon, p.4 as end_lat, if(whole, 1, pairs) as n, if(whole, p.5, pairs_measured) as measured, if(whole, p.6, pairs_metres) as metres, if(whole, tupleElement(p, {p11:UInt8}), ko0) as o0, if(whole, tupleElement(p, {p12:UInt8}), kd0) as d0 from (select day, if(whole, toUInt32(0), o0) as ko0, if(whole, toUInt32(0), d0) as kd0, whole, count() as pairs, sum(measured) as pairs_measured, sum(metres) as pairs_metres, groupArrayIf((start_lon, start_lat, end_lon, end_lat, measured, metres, o0, d0), whole) as points from (select *, toUInt8(o0 >= {p13:UInt64} or d0 >= {p14:UInt64}) as whole from (select *, if(o0_coarse >= {p15:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p16:UInt64} + (o0_coarse - {p17:UInt64}) * {p18:UInt64} + least(toUInt64((o0_v - o0_j) * {p19:UInt64}), {p20:UInt64}) * {p21:UInt64} + least(toUInt64((o0_u - o0_i) * {p22:UInt64}), {p23:UInt64}))), o0_coarse) as o0, if(d0_coarse >= {p24:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p25:UInt64} + (d0_coarse - {p26:UInt64}) * {p27:UInt64} + least(toUInt64((d0_v - d0_j) * {p28:UInt64}), {p29:UInt64}) * {p30:UInt64} + least(toUInt64((d0_u - d0_i) * {p31:UInt64}), {p32:UInt64}))), d0_coarse) as d0 from (select *, if(o0_inside, dictGet('mi_0_codes', 'code', o0_j * {p33:UInt64} + o0_i), toUInt32(0)) as o0_coarse, if(d0_inside, dictGet('mi_0_codes', 'code', d0_j * {p34:UInt64} + d0_i), toUInt32(0)) as d0_coarse from (select *, least(toUInt64(o0_u), {p35:UInt64}) as o0_i, least(toUInt64(o0_v), {p36:UInt64}) as o0_j, least(toUInt64(d0_u), {p37:UInt64}) as d0_i, least(toUInt64(d0_v), {p38:UInt64}) as d0_j from (select *, if(o0_inside, (start_lon - {p39:Float64}) / {p40:Float64}, 0) as o0_u, if(o0_inside, (start_lat - {p41:Float64}) / {p42:Float64}, 0) as o0_v, if(d0_inside, (end_lon - {p43:Float64}) / {p44:Float64}, 0) as d0_u, if(d0_inside, (end_lat - {p45:Float64}) / {p46:Float64}, 0) as d0_v from (select *, start_lon >= {p39:Float64} and start_lon < {p47:Float64} and start_lat >= {p41:Float64} and start_lat < {p48:Float64} as o0_inside, end_lon >= {p43:Float64} and end_lon < {p49:Float64} and end_lat >= {p45:Float64} and end_lat < {p50:Float64} as d0_inside from (select local_date as day, start_lon, start_lat, end_lon, end_lat, toUInt8(isFinite(distance_m) and bitAnd(quality, {p51:UInt16}) = 0) as measured, if(measured, distance_m, 0) as metres from (select * from trips final where region_id in {scope_regions:Array(String)}) where region_id = {p52:String} and local_date >= {p53:Date} and local_date <= {p54:Date} and operator in {p55:Array(String)} and vehicle_type = {p56:String} and toDayOfWeek(local_date) in {p57:Array(UInt8)} and local_hour >= {p58:UInt8} and local_hour <= {p59:UInt8}))))))) group by day, ko0, kd0, whole) left array join points as p))))))) array join arrayDistinct(arrayConcat(os, ds, [{p0:UInt32}])) as shape
)
group by day, shape order by day, shape

-- p0 = 4294967295
-- p1 = 3
-- p2 = 3
-- p3 = 2147483648
-- p4 = 2147483648
-- p5 = 2147483648
-- p6 = 2147483648
-- p7 = 2147483646
-- p8 = 2147483648
-- p9 = 2147483648
-- p10 = 2147483646
-- p11 = 7
-- p12 = 8
-- p13 = 2147483648
-- p14 = 2147483648
-- p15 = 1073741824
-- p16 = 16
-- p17 = 1073741824
-- p18 = 64
-- p19 = 8
-- p20 = 7
-- p21 = 8
-- p22 = 8
-- p23 = 7
-- p24 = 1073741824
-- p25 = 16
-- p26 = 1073741824
-- p27 = 64
-- p28 = 8
-- p29 = 7
-- p30 = 8
-- p31 = 8
-- p32 = 7
-- p33 = 4
-- p34 = 4
-- p35 = 3
-- p36 = 3
-- p37 = 3
-- p38 = 3
-- p39 = -1
-- p40 = 0.5
-- p41 = -1
-- p42 = 0.5
-- p43 = -1
-- p44 = 0.5
-- p45 = -1
-- p46 = 0.5
-- p47 = 1
-- p48 = 1
-- p49 = 1
-- p50 = 1
-- p51 = 63
-- scope_regions = ["here"]
-- p52 = "here"
-- p53 = "2026-01-01"
-- p54 = "2026-01-31"
-- p55 = ["zephyr"]
-- p56 = "bicycle"
-- p57 = [1,7]
-- p58 = 7
-- p59 = 18
