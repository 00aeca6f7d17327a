select hour, shape, sum(trips.n) as passing, sum(trips.n * trips.has_route) as with_route
from (
  select *, arrayJoin(arrayPushBack(if(empty(shapes), [{p0:UInt32}], shapes), {p1:UInt32})) as shape
  from (
      select local_hour as hour, shapes, count() as n, 1 as has_route from (select * from way_shapes final where region_id in {scope_regions:Array(String)}) where list_id = {p2:UUID} and region_id = {p3:String} and local_date >= {p4:Date} and local_date <= {p5:Date} and operator in {p6:Array(String)} and vehicle_type = {p7:String} and toDayOfWeek(local_date) in {p8:Array(UInt8)} and local_hour >= {p9:UInt8} and local_hour <= {p10:UInt8}
      group by hour, shapes
      union all 
      select hour, shapes, n, 0 as has_route
      from (
        select *, arraySort(arrayFilter(shape -> shape > 0, arrayDistinct(arrayConcat(origin_shapes, destination_shapes)))) as shapes
        from (select *, if(empty(matched_origins), [{p11:UInt32}], matched_origins) as origin_shapes, if(empty(matched_destinations), [{p11:UInt32}], matched_destinations) as destination_shapes from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fo0)))) as matched_origins, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fd0)))) as matched_destinations from (select *, if(o0 >= {p12:UInt64}, arrayElement(fo0_faces, bitXor(fo0_ref, fo0_crossed) + 1), o0) as fo0, if(d0 >= {p13:UInt64}, arrayElement(fd0_faces, bitXor(fd0_ref, fd0_crossed) + 1), d0) as fd0 from (select *, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= start_lon) != (hx <= fo0_rx)) != (x0 <= start_lon and start_lon < x1 and ((y0 + (start_lon - x0) * slope <= start_lat) != (y0 + (start_lon - x0) * slope <= fo0_ry))), bit, toUInt32(0)), fo0_x0, fo0_x1, fo0_y0, fo0_slope, fo0_hx, fo0_bit)) as fo0_crossed, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= end_lon) != (hx <= fd0_rx)) != (x0 <= end_lon and end_lon < x1 and ((y0 + (end_lon - x0) * slope <= end_lat) != (y0 + (end_lon - x0) * slope <= fd0_ry))), bit, toUInt32(0)), fd0_x0, fd0_x1, fd0_y0, fd0_slope, fd0_hx, fd0_bit)) as fd0_crossed from (select *, dictGet('mi_0_edges', 'rx', fo0_cell) as fo0_rx, dictGet('mi_0_edges', 'ry', fo0_cell) as fo0_ry, dictGet('mi_0_edges', 'faces', fo0_cell) as fo0_faces, dictGet('mi_0_edges', 'ref', fo0_cell) as fo0_ref, dictGet('mi_0_edges', 'x0', fo0_cell) as fo0_x0, dictGet('mi_0_edges', 'x1', fo0_cell) as fo0_x1, dictGet('mi_0_edges', 'y0', fo0_cell) as fo0_y0, dictGet('mi_0_edges', 'slope', fo0_cell) as fo0_slope, dictGet('mi_0_edges', 'hx', fo0_cell) as fo0_hx, dictGet('mi_0_edges', 'bit', fo0_cell) as fo0_bit, dictGet('mi_0_edges', 'rx', fd0_cell) as fd0_rx, dictGet('mi_0_edges', 'ry', fd0_cell) as fd0_ry, dictGet('mi_0_edges', 'faces', fd0_cell) as fd0_faces, dictGet('mi_0_edges', 'ref', fd0_cell) as fd0_ref, dictGet('mi_0_edges', 'x0', fd0_cell) as fd0_x0, dictGet('mi_0_edges', 'x1', fd0_cell) as fd0_x1, dictGet('mi_0_edges', 'y0', fd0_cell) as fd0_y0, dictGet('mi_0_edges', 'slope', fd0_cell) as fd0_slope, dictGet('mi_0_edges', 'hx', fd0_cell) as fd0_hx, dictGet('mi_0_edges', 'bit', fd0_cell) as fd0_bit from (select *, toUInt64(if(o0 >= {p14:UInt64}, o0 - {p15:UInt64}, {p16:UInt64})) as fo0_cell, toUInt64(if(d0 >= {p17:UInt64}, d0 - {p18:UInt64}, {p19:UInt64})) as fd0_cell from (
    select hour, tupleElement(exact_row, {p20:UInt8}) as start_lon, tupleElement(exact_row, {p21:UInt8}) as start_lat, tupleElement(exact_row, {p22:UInt8}) as end_lon, tupleElement(exact_row, {p23:UInt8}) as end_lat, 
      if(needs_exact_test, 1, pairs) as n, if(
        needs_exact_test,
        tupleElement(exact_row, {p24:UInt8}),
        pairs_measured
      ) as measured, if(needs_exact_test, tupleElement(exact_row, {p25:UInt8}), pairs_mm) as mm, if(needs_exact_test, tupleElement(exact_row, {p26:UInt8}), ko0) as o0, if(needs_exact_test, tupleElement(exact_row, {p27:UInt8}), kd0) as d0
    from (
    select hour, if(needs_exact_test, toUInt32(0), o0) as ko0, if(needs_exact_test, toUInt32(0), d0) as kd0, 
      needs_exact_test, count() as pairs, sum(is_measured) as pairs_measured, sum(mm) as pairs_mm, groupArrayIf(
        (start_lon, start_lat, end_lon, end_lat, is_measured, mm, o0, d0),
        needs_exact_test
      ) as exact_rows
    from (select *, toUInt8(o0 >= {p28:UInt64} or d0 >= {p29:UInt64}) as needs_exact_test from (select *, if(o0_coarse >= {p30:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p31:UInt64} + (o0_coarse - {p32:UInt64}) * {p33:UInt64} + least(toUInt64((o0_v - o0_j) * {p34:UInt64}), {p35:UInt64}) * {p36:UInt64} + least(toUInt64((o0_u - o0_i) * {p37:UInt64}), {p38:UInt64}))), o0_coarse) as o0, if(d0_coarse >= {p39:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p40:UInt64} + (d0_coarse - {p41:UInt64}) * {p42:UInt64} + least(toUInt64((d0_v - d0_j) * {p43:UInt64}), {p44:UInt64}) * {p45:UInt64} + least(toUInt64((d0_u - d0_i) * {p46:UInt64}), {p47:UInt64}))), d0_coarse) as d0 from (select *, if(o0_inside, dictGet('mi_0_codes', 'code', o0_j * {p48:UInt64} + o0_i), toUInt32(0)) as o0_coarse, if(d0_inside, dictGet('mi_0_codes', 'code', d0_j * {p49:UInt64} + d0_i), toUInt32(0)) as d0_coarse from (select *, least(toUInt64(o0_u), {p50:UInt64}) as o0_i, least(toUInt64(o0_v), {p51:UInt64}) as o0_j, least(toUInt64(d0_u), {p52:UInt64}) as d0_i, least(toUInt64(d0_v), {p53:UInt64}) as d0_j from (select *, if(o0_inside, (start_lon - {p54:Float64}) / {p55:Float64}, 0) as o0_u, if(o0_inside, (start_lat - {p56:Float64}) / {p57:Float64}, 0) as o0_v, if(d0_inside, (end_lon - {p58:Float64}) / {p59:Float64}, 0) as d0_u, if(d0_inside, (end_lat - {p60:Float64}) / {p61:Float64}, 0) as d0_v from (select *, start_lon >= {p54:Float64} and start_lon < {p62:Float64} and start_lat >= {p56:Float64} and start_lat < {p63:Float64} as o0_inside, end_lon >= {p58:Float64} and end_lon < {p64:Float64} and end_lat >= {p60:Float64} and end_lat < {p65:Float64} as d0_inside from (select local_hour as hour, start_lon, start_lat, end_lon, end_lat, 
      toUInt8(
        isFinite(distance_m)
        and distance_m >= 0
        and bitAnd(quality, {p66:UInt16}) = 0
      ) as is_measured, if(is_measured, toUInt64(floor(distance_m * 1000 + 0.5)), 0) as mm from (select * from trips final where region_id in {scope_regions:Array(String)}) where region_id = {p67:String} and local_date >= {p68:Date} and local_date <= {p69:Date} and operator in {p70:Array(String)} and vehicle_type = {p71:String} and toDayOfWeek(local_date) in {p72:Array(UInt8)} and local_hour >= {p73:UInt8} and local_hour <= {p74:UInt8} and (local_date, operator, trip_id) not in (select local_date, operator, trip_id from (select * from way_shapes final where region_id in {scope_regions:Array(String)}) where list_id = {p2:UUID} and region_id = {p3:String} and local_date >= {p4:Date} and local_date <= {p5:Date} and operator in {p6:Array(String)} and vehicle_type = {p7:String} and toDayOfWeek(local_date) in {p8:Array(UInt8)} and local_hour >= {p9:UInt8} and local_hour <= {p10:UInt8}))))))))
    group by hour, ko0, kd0, needs_exact_test) left
    array join exact_rows as exact_row)))))))
      )
  )
  where has(shapes, {p75:UInt32})
) as trips
group by hour, shape
order by hour, shape

-- p0 = 0
-- p1 = 4294967295
-- scope_regions = ["here"]
-- p2 = "00000000-0000-4000-8000-000000000003"
-- p3 = "here"
-- p4 = "2026-01-01"
-- p5 = "2026-01-31"
-- p6 = ["zephyr"]
-- p7 = "bicycle"
-- p8 = [1,7]
-- p9 = 7
-- p10 = 18
-- p11 = 0
-- p12 = 2147483648
-- p13 = 2147483648
-- p14 = 2147483648
-- p15 = 2147483648
-- p16 = 2147483646
-- p17 = 2147483648
-- p18 = 2147483648
-- p19 = 2147483646
-- p20 = 1
-- p21 = 2
-- p22 = 3
-- p23 = 4
-- p24 = 5
-- p25 = 6
-- p26 = 7
-- p27 = 8
-- p28 = 2147483648
-- p29 = 2147483648
-- p30 = 1073741824
-- p31 = 16
-- p32 = 1073741824
-- p33 = 64
-- p34 = 8
-- p35 = 7
-- p36 = 8
-- p37 = 8
-- p38 = 7
-- p39 = 1073741824
-- p40 = 16
-- p41 = 1073741824
-- p42 = 64
-- p43 = 8
-- p44 = 7
-- p45 = 8
-- p46 = 8
-- p47 = 7
-- p48 = 4
-- p49 = 4
-- p50 = 3
-- p51 = 3
-- p52 = 3
-- p53 = 3
-- p54 = -1
-- p55 = 0.5
-- p56 = -1
-- p57 = 0.5
-- p58 = -1
-- p59 = 0.5
-- p60 = -1
-- p61 = 0.5
-- p62 = 1
-- p63 = 1
-- p64 = 1
-- p65 = 1
-- p66 = 63
-- p67 = "here"
-- p68 = "2026-01-01"
-- p69 = "2026-01-31"
-- p70 = ["zephyr"]
-- p71 = "bicycle"
-- p72 = [1,7]
-- p73 = 7
-- p74 = 18
-- p75 = 3
