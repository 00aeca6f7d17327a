select
      shape,
      sum(n * counts_as_origin) as orig,
      sum(n * counts_as_destination) as dest,
      sum(n * (counts_as_origin or counts_as_destination)) as either,
      sum(measured * counts_as_origin) as orig_measured,
      sum(measured * counts_as_destination) as dest_measured,
      sum(mm * counts_as_origin) as orig_mm,
      sum(mm * counts_as_destination) as dest_mm
    from (
      select
        n, measured, mm, shape,
        has(arrayPushBack(origin_shapes, {p0:UInt32}), shape)
        and true as counts_as_origin,
        has(arrayPushBack(destination_shapes, {p0:UInt32}), shape)
        and true as counts_as_destination
      from (select *, if(empty(matched_origins), [{p1:UInt32}], matched_origins) as origin_shapes, if(empty(matched_destinations), [{p1:UInt32}], matched_destinations) as destination_shapes from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fo0)))) as matched_origins, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fd0)))) as matched_destinations from (select *, if(o0 >= {p2:UInt64}, arrayElement(fo0_faces, bitXor(fo0_ref, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= start_lon) != (hx <= fo0_rx)) != (x0 <= start_lon and start_lon < x1 and ((y0 + (start_lon - x0) * slope <= start_lat) != (y0 + (start_lon - x0) * slope <= fo0_ry))), bit, toUInt32(0)), fo0_x0, fo0_x1, fo0_y0, fo0_slope, fo0_hx, fo0_bit))) + 1), o0) as fo0, if(d0 >= {p3:UInt64}, arrayElement(fd0_faces, bitXor(fd0_ref, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= end_lon) != (hx <= fd0_rx)) != (x0 <= end_lon and end_lon < x1 and ((y0 + (end_lon - x0) * slope <= end_lat) != (y0 + (end_lon - x0) * slope <= fd0_ry))), bit, toUInt32(0)), fd0_x0, fd0_x1, fd0_y0, fd0_slope, fd0_hx, fd0_bit))) + 1), d0) as fd0 from (select *, dictGet('mi_0_edges', 'rx', bitXor(o0, {p4:UInt64})) as fo0_rx, dictGet('mi_0_edges', 'ry', bitXor(o0, {p4:UInt64})) as fo0_ry, dictGet('mi_0_edges', 'faces', bitXor(o0, {p4:UInt64})) as fo0_faces, dictGet('mi_0_edges', 'ref', bitXor(o0, {p4:UInt64})) as fo0_ref, dictGet('mi_0_edges', 'x0', bitXor(o0, {p4:UInt64})) as fo0_x0, dictGet('mi_0_edges', 'x1', bitXor(o0, {p4:UInt64})) as fo0_x1, dictGet('mi_0_edges', 'y0', bitXor(o0, {p4:UInt64})) as fo0_y0, dictGet('mi_0_edges', 'slope', bitXor(o0, {p4:UInt64})) as fo0_slope, dictGet('mi_0_edges', 'hx', bitXor(o0, {p4:UInt64})) as fo0_hx, dictGet('mi_0_edges', 'bit', bitXor(o0, {p4:UInt64})) as fo0_bit, dictGet('mi_0_edges', 'rx', bitXor(d0, {p5:UInt64})) as fd0_rx, dictGet('mi_0_edges', 'ry', bitXor(d0, {p5:UInt64})) as fd0_ry, dictGet('mi_0_edges', 'faces', bitXor(d0, {p5:UInt64})) as fd0_faces, dictGet('mi_0_edges', 'ref', bitXor(d0, {p5:UInt64})) as fd0_ref, dictGet('mi_0_edges', 'x0', bitXor(d0, {p5:UInt64})) as fd0_x0, dictGet('mi_0_edges', 'x1', bitXor(d0, {p5:UInt64})) as fd0_x1, dictGet('mi_0_edges', 'y0', bitXor(d0, {p5:UInt64})) as fd0_y0, dictGet('mi_0_edges', 'slope', bitXor(d0, {p5:UInt64})) as fd0_slope, dictGet('mi_0_edges', 'hx', bitXor(d0, {p5:UInt64})) as fd0_hx, dictGet('mi_0_edges', 'bit', bitXor(d0, {p5:UInt64})) as fd0_bit from (
    select tupleElement(exact_row, {p6:UInt8}) as start_lon, tupleElement(exact_row, {p7:UInt8}) as start_lat, tupleElement(exact_row, {p8:UInt8}) as end_lon, tupleElement(exact_row, {p9:UInt8}) as end_lat, 
      if(needs_exact_test, 1, pairs) as n, if(
        needs_exact_test,
        tupleElement(exact_row, {p10:UInt8}),
        pairs_measured
      ) as measured, if(needs_exact_test, tupleElement(exact_row, {p11:UInt8}), pairs_mm) as mm, if(needs_exact_test, tupleElement(exact_row, {p12:UInt8}), ko0) as o0, if(needs_exact_test, tupleElement(exact_row, {p13:UInt8}), kd0) as d0
    from (
    select if(needs_exact_test, toUInt32(0), o0) as ko0, if(needs_exact_test, toUInt32(0), d0) as kd0, 
      needs_exact_test, count() as pairs, sum(is_measured) as pairs_measured, sum(mm) as pairs_mm, groupArrayIf(
        (start_lon, start_lat, end_lon, end_lat, is_measured, mm, o0, d0),
        needs_exact_test
      ) as exact_rows
    from (select *, toUInt8(o0 >= {p14:UInt64} or d0 >= {p15:UInt64}) as needs_exact_test from (select *, if(o0_coarse >= {p16:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p17:UInt64} + (o0_coarse - {p18:UInt64}) * {p19:UInt64} + least(toUInt64((o0_v - least(toUInt64(o0_v), {p20:UInt64})) * {p21:UInt64}), {p22:UInt64}) * {p23:UInt64} + least(toUInt64((o0_u - least(toUInt64(o0_u), {p24:UInt64})) * {p25:UInt64}), {p26:UInt64}))), o0_coarse) as o0, if(d0_coarse >= {p27:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p28:UInt64} + (d0_coarse - {p29:UInt64}) * {p30:UInt64} + least(toUInt64((d0_v - least(toUInt64(d0_v), {p31:UInt64})) * {p32:UInt64}), {p33:UInt64}) * {p34:UInt64} + least(toUInt64((d0_u - least(toUInt64(d0_u), {p35:UInt64})) * {p36:UInt64}), {p37:UInt64}))), d0_coarse) as d0 from (select *, if(o0_inside, dictGet('mi_0_codes', 'code', least(toUInt64(o0_v), {p20:UInt64}) * {p38:UInt64} + least(toUInt64(o0_u), {p24:UInt64})), toUInt32(0)) as o0_coarse, if(d0_inside, dictGet('mi_0_codes', 'code', least(toUInt64(d0_v), {p31:UInt64}) * {p39:UInt64} + least(toUInt64(d0_u), {p35:UInt64})), toUInt32(0)) as d0_coarse from (select *, start_lon >= {p40:Float64} and start_lon < {p41:Float64} and start_lat >= {p42:Float64} and start_lat < {p43:Float64} as o0_inside, if(start_lon >= {p40:Float64} and start_lon < {p41:Float64}, (start_lon - {p40:Float64}) / {p44:Float64}, 0) as o0_u, if(start_lat >= {p42:Float64} and start_lat < {p43:Float64}, (start_lat - {p42:Float64}) / {p45:Float64}, 0) as o0_v, end_lon >= {p46:Float64} and end_lon < {p47:Float64} and end_lat >= {p48:Float64} and end_lat < {p49:Float64} as d0_inside, if(end_lon >= {p46:Float64} and end_lon < {p47:Float64}, (end_lon - {p46:Float64}) / {p50:Float64}, 0) as d0_u, if(end_lat >= {p48:Float64} and end_lat < {p49:Float64}, (end_lat - {p48:Float64}) / {p51:Float64}, 0) as d0_v from (select start_lon, start_lat, end_lon, end_lat, 
      toUInt8(
        isFinite(distance_m)
        and distance_m >= 0
        and bitAnd(quality, {p52:UInt16}) = 0
      ) as is_measured, if(is_measured, toUInt64(floor(distance_m * 1000 + 0.5)), 0) as mm from (select * from trips final where region_id in {scope_regions:Array(String)}) where region_id = {p53:String} and local_date >= {p54:Date} and local_date <= {p55:Date} and operator in {p56:Array(String)} and vehicle_type = {p57:String} and toDayOfWeek(local_date) in {p58:Array(UInt8)} and local_hour >= {p59:UInt8} and local_hour <= {p60:UInt8})))))
    group by ko0, kd0, needs_exact_test) left
    array join exact_rows as exact_row)))))
      array join arrayDistinct(
        arrayConcat(origin_shapes, destination_shapes, [{p0:UInt32}])
      ) as shape
    )
    group by shape
order by shape

-- p0 = 4294967295
-- p1 = 0
-- p2 = 2147483648
-- p3 = 2147483648
-- p4 = 2147483648
-- p5 = 2147483648
-- p6 = 1
-- p7 = 2
-- p8 = 3
-- p9 = 4
-- p10 = 5
-- p11 = 6
-- p12 = 7
-- p13 = 8
-- p14 = 2147483648
-- p15 = 2147483648
-- p16 = 1073741824
-- p17 = 16
-- p18 = 1073741824
-- p19 = 64
-- p20 = 3
-- p21 = 8
-- p22 = 7
-- p23 = 8
-- p24 = 3
-- p25 = 8
-- p26 = 7
-- p27 = 1073741824
-- p28 = 16
-- p29 = 1073741824
-- p30 = 64
-- p31 = 3
-- p32 = 8
-- p33 = 7
-- p34 = 8
-- p35 = 3
-- p36 = 8
-- p37 = 7
-- p38 = 4
-- p39 = 4
-- p40 = -1
-- p41 = 1
-- p42 = -1
-- p43 = 1
-- p44 = 0.5
-- p45 = 0.5
-- p46 = -1
-- p47 = 1
-- p48 = -1
-- p49 = 1
-- p50 = 0.5
-- p51 = 0.5
-- p52 = 63
-- scope_regions = ["here"]
-- p53 = "here"
-- p54 = "2026-01-01"
-- p55 = "2026-01-31"
-- p56 = ["zephyr"]
-- p57 = "bicycle"
-- p58 = [1,7]
-- p59 = 7
-- p60 = 18
