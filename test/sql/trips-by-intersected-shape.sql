select shape, sum(trips.n) as passing, sum(trips.n * trips.has_route) as with_route
from (
  select *, arrayJoin(arrayPushBack(if(empty(shapes), [{p0:UInt32}], shapes), {p1:UInt32})) as shape
  from (
      select shapes, count() as n, 1 as has_route from (select * from way_shapes final where region_id in {scope_regions:Array(String)}) where list_id = {p2:UUID} and region_id = {p3:String} and local_date >= {p4:Date} and local_date <= {p5:Date} and operator in {p6:Array(String)} and vehicle_type = {p7:String} and toDayOfWeek(local_date) in {p8:Array(UInt8)} and local_hour >= {p9:UInt8} and local_hour <= {p10:UInt8}
      group by shapes
      union all 
      select shapes, n, 0 as has_route
      from (
        select *, arraySort(arrayFilter(shape -> shape > 0, arrayDistinct(arrayConcat(origin_shapes, destination_shapes)))) as shapes
        from (select *, if(empty(matched_origins), [{p11:UInt32}], matched_origins) as origin_shapes, if(empty(matched_destinations), [{p11:UInt32}], matched_destinations) as destination_shapes from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fo0)))) as matched_origins, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fd0)))) as matched_destinations from (select *, if(o0 >= {p12:UInt64}, arrayElement(fo0_faces, bitXor(fo0_ref, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= start_lon) != (hx <= fo0_rx)) != (x0 <= start_lon and start_lon < x1 and ((y0 + (start_lon - x0) * slope <= start_lat) != (y0 + (start_lon - x0) * slope <= fo0_ry))), bit, toUInt32(0)), fo0_x0, fo0_x1, fo0_y0, fo0_slope, fo0_hx, fo0_bit))) + 1), o0) as fo0, if(d0 >= {p13:UInt64}, arrayElement(fd0_faces, bitXor(fd0_ref, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= end_lon) != (hx <= fd0_rx)) != (x0 <= end_lon and end_lon < x1 and ((y0 + (end_lon - x0) * slope <= end_lat) != (y0 + (end_lon - x0) * slope <= fd0_ry))), bit, toUInt32(0)), fd0_x0, fd0_x1, fd0_y0, fd0_slope, fd0_hx, fd0_bit))) + 1), d0) as fd0 from (select *, dictGet('mi_0_edges', 'rx', bitXor(o0, {p14:UInt64})) as fo0_rx, dictGet('mi_0_edges', 'ry', bitXor(o0, {p14:UInt64})) as fo0_ry, dictGet('mi_0_edges', 'faces', bitXor(o0, {p14:UInt64})) as fo0_faces, dictGet('mi_0_edges', 'ref', bitXor(o0, {p14:UInt64})) as fo0_ref, dictGet('mi_0_edges', 'x0', bitXor(o0, {p14:UInt64})) as fo0_x0, dictGet('mi_0_edges', 'x1', bitXor(o0, {p14:UInt64})) as fo0_x1, dictGet('mi_0_edges', 'y0', bitXor(o0, {p14:UInt64})) as fo0_y0, dictGet('mi_0_edges', 'slope', bitXor(o0, {p14:UInt64})) as fo0_slope, dictGet('mi_0_edges', 'hx', bitXor(o0, {p14:UInt64})) as fo0_hx, dictGet('mi_0_edges', 'bit', bitXor(o0, {p14:UInt64})) as fo0_bit, dictGet('mi_0_edges', 'rx', bitXor(d0, {p15:UInt64})) as fd0_rx, dictGet('mi_0_edges', 'ry', bitXor(d0, {p15:UInt64})) as fd0_ry, dictGet('mi_0_edges', 'faces', bitXor(d0, {p15:UInt64})) as fd0_faces, dictGet('mi_0_edges', 'ref', bitXor(d0, {p15:UInt64})) as fd0_ref, dictGet('mi_0_edges', 'x0', bitXor(d0, {p15:UInt64})) as fd0_x0, dictGet('mi_0_edges', 'x1', bitXor(d0, {p15:UInt64})) as fd0_x1, dictGet('mi_0_edges', 'y0', bitXor(d0, {p15:UInt64})) as fd0_y0, dictGet('mi_0_edges', 'slope', bitXor(d0, {p15:UInt64})) as fd0_slope, dictGet('mi_0_edges', 'hx', bitXor(d0, {p15:UInt64})) as fd0_hx, dictGet('mi_0_edges', 'bit', bitXor(d0, {p15:UInt64})) as fd0_bit from (
    select tupleElement(exact_row, {p16:UInt8}) as start_lon, tupleElement(exact_row, {p17:UInt8}) as start_lat, tupleElement(exact_row, {p18:UInt8}) as end_lon, tupleElement(exact_row, {p19:UInt8}) as end_lat, 
      if(needs_exact_test, 1, pairs) as n, if(
        needs_exact_test,
        tupleElement(exact_row, {p20:UInt8}),
        pairs_measured
      ) as measured, if(needs_exact_test, tupleElement(exact_row, {p21:UInt8}), pairs_mm) as mm, if(needs_exact_test, tupleElement(exact_row, {p22:UInt8}), ko0) as o0, if(needs_exact_test, tupleElement(exact_row, {p23:UInt8}), kd0) as d0
    from (
    select if(needs_exact_test, toUInt32(0), o0) as ko0, if(needs_exact_test, toUInt32(0), d0) as kd0, 
      needs_exact_test, count() as pairs, sum(is_measured) as pairs_measured, sum(mm) as pairs_mm, groupArrayIf(
        (start_lon, start_lat, end_lon, end_lat, is_measured, mm, o0, d0),
        needs_exact_test
      ) as exact_rows
    from (select *, toUInt8(o0 >= {p24:UInt64} or d0 >= {p25:UInt64}) as needs_exact_test from (select *, if(o0_coarse >= {p26:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p27:UInt64} + (o0_coarse - {p28:UInt64}) * {p29:UInt64} + least(toUInt64((o0_v - least(toUInt64(o0_v), {p30:UInt64})) * {p31:UInt64}), {p32:UInt64}) * {p33:UInt64} + least(toUInt64((o0_u - least(toUInt64(o0_u), {p34:UInt64})) * {p35:UInt64}), {p36:UInt64}))), o0_coarse) as o0, if(d0_coarse >= {p37:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p38:UInt64} + (d0_coarse - {p39:UInt64}) * {p40:UInt64} + least(toUInt64((d0_v - least(toUInt64(d0_v), {p41:UInt64})) * {p42:UInt64}), {p43:UInt64}) * {p44:UInt64} + least(toUInt64((d0_u - least(toUInt64(d0_u), {p45:UInt64})) * {p46:UInt64}), {p47:UInt64}))), d0_coarse) as d0 from (select *, if(o0_inside, dictGet('mi_0_codes', 'code', least(toUInt64(o0_v), {p30:UInt64}) * {p48:UInt64} + least(toUInt64(o0_u), {p34:UInt64})), toUInt32(0)) as o0_coarse, if(d0_inside, dictGet('mi_0_codes', 'code', least(toUInt64(d0_v), {p41:UInt64}) * {p49:UInt64} + least(toUInt64(d0_u), {p45:UInt64})), toUInt32(0)) as d0_coarse from (select *, start_lon >= {p50:Float64} and start_lon < {p51:Float64} and start_lat >= {p52:Float64} and start_lat < {p53:Float64} as o0_inside, if(start_lon >= {p50:Float64} and start_lon < {p51:Float64}, (start_lon - {p50:Float64}) / {p54:Float64}, 0) as o0_u, if(start_lat >= {p52:Float64} and start_lat < {p53:Float64}, (start_lat - {p52:Float64}) / {p55:Float64}, 0) as o0_v, end_lon >= {p56:Float64} and end_lon < {p57:Float64} and end_lat >= {p58:Float64} and end_lat < {p59:Float64} as d0_inside, if(end_lon >= {p56:Float64} and end_lon < {p57:Float64}, (end_lon - {p56:Float64}) / {p60:Float64}, 0) as d0_u, if(end_lat >= {p58:Float64} and end_lat < {p59:Float64}, (end_lat - {p58:Float64}) / {p61:Float64}, 0) as d0_v from (select start_lon, start_lat, end_lon, end_lat, 
      toUInt8(
        isFinite(distance_m)
        and distance_m >= 0
        and bitAnd(quality, {p62:UInt16}) = 0
      ) as is_measured, if(is_measured, toUInt64(floor(distance_m * 1000 + 0.5)), 0) as mm from (select * from trips final where region_id in {scope_regions:Array(String)}) where region_id = {p63:String} and local_date >= {p64:Date} and local_date <= {p65:Date} and operator in {p66:Array(String)} and vehicle_type = {p67:String} and toDayOfWeek(local_date) in {p68:Array(UInt8)} and local_hour >= {p69:UInt8} and local_hour <= {p70:UInt8} and (local_date, operator, trip_id) not in (select local_date, operator, trip_id from (select * from way_shapes final where region_id in {scope_regions:Array(String)}) where list_id = {p2:UUID} and region_id = {p3:String} and local_date >= {p4:Date} and local_date <= {p5:Date} and operator in {p6:Array(String)} and vehicle_type = {p7:String} and toDayOfWeek(local_date) in {p8:Array(UInt8)} and local_hour >= {p9:UInt8} and local_hour <= {p10:UInt8}))))))
    group by ko0, kd0, needs_exact_test) left
    array join exact_rows as exact_row)))))
      )
  )
  
) as trips
group by shape
order by shape

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
-- p16 = 1
-- p17 = 2
-- p18 = 3
-- p19 = 4
-- p20 = 5
-- p21 = 6
-- p22 = 7
-- p23 = 8
-- p24 = 2147483648
-- p25 = 2147483648
-- p26 = 1073741824
-- p27 = 16
-- p28 = 1073741824
-- p29 = 64
-- p30 = 3
-- p31 = 8
-- p32 = 7
-- p33 = 8
-- p34 = 3
-- p35 = 8
-- p36 = 7
-- p37 = 1073741824
-- p38 = 16
-- p39 = 1073741824
-- p40 = 64
-- p41 = 3
-- p42 = 8
-- p43 = 7
-- p44 = 8
-- p45 = 3
-- p46 = 8
-- p47 = 7
-- p48 = 4
-- p49 = 4
-- p50 = -1
-- p51 = 1
-- p52 = -1
-- p53 = 1
-- p54 = 0.5
-- p55 = 0.5
-- p56 = -1
-- p57 = 1
-- p58 = -1
-- p59 = 1
-- p60 = 0.5
-- p61 = 0.5
-- p62 = 63
-- p63 = "here"
-- p64 = "2026-01-01"
-- p65 = "2026-01-31"
-- p66 = ["zephyr"]
-- p67 = "bicycle"
-- p68 = [1,7]
-- p69 = 7
-- p70 = 18
