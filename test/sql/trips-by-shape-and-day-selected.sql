select
      day, shape,
      sum(n * counts_as_origin) as orig,
      sum(n * counts_as_destination) as dest,
      sum(n * (counts_as_origin or counts_as_destination)) as either,
      sum(measured * counts_as_origin) as orig_measured,
      sum(measured * counts_as_destination) as dest_measured,
      sum(mm * counts_as_origin) as orig_mm,
      sum(mm * counts_as_destination) as dest_mm
    from (
      select
        day, n, measured, mm, shape,
        has(arrayPushBack(origin_shapes, {p0:UInt32}), shape)
        and has(destination_shapes, {p1:UInt32}) as counts_as_origin,
        has(arrayPushBack(destination_shapes, {p0:UInt32}), shape)
        and has(origin_shapes, {p2:UInt32}) as counts_as_destination
      from (select *, if(empty(matched_origins), [{p3:UInt32}], matched_origins) as origin_shapes, if(empty(matched_destinations), [{p3:UInt32}], matched_destinations) as destination_shapes from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fo0)))) as matched_origins, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(fd0)))) as matched_destinations from (select *, if(o0 >= {p4:UInt64}, arrayElement(fo0_faces, bitXor(fo0_ref, fo0_crossed) + 1), o0) as fo0, if(d0 >= {p5:UInt64}, arrayElement(fd0_faces, bitXor(fd0_ref, fd0_crossed) + 1), d0) as fd0 from (select *, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= start_lon) != (hx <= fo0_rx)) != (x0 <= start_lon and start_lon < x1 and ((y0 + (start_lon - x0) * slope <= start_lat) != (y0 + (start_lon - x0) * slope <= fo0_ry))), bit, toUInt32(0)), fo0_x0, fo0_x1, fo0_y0, fo0_slope, fo0_hx, fo0_bit)) as fo0_crossed, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= end_lon) != (hx <= fd0_rx)) != (x0 <= end_lon and end_lon < x1 and ((y0 + (end_lon - x0) * slope <= end_lat) != (y0 + (end_lon - x0) * slope <= fd0_ry))), bit, toUInt32(0)), fd0_x0, fd0_x1, fd0_y0, fd0_slope, fd0_hx, fd0_bit)) as fd0_crossed from (select *, dictGet('mi_0_edges', 'rx', fo0_cell) as fo0_rx, dictGet('mi_0_edges', 'ry', fo0_cell) as fo0_ry, dictGet('mi_0_edges', 'faces', fo0_cell) as fo0_faces, dictGet('mi_0_edges', 'ref', fo0_cell) as fo0_ref, dictGet('mi_0_edges', 'x0', fo0_cell) as fo0_x0, dictGet('mi_0_edges', 'x1', fo0_cell) as fo0_x1, dictGet('mi_0_edges', 'y0', fo0_cell) as fo0_y0, dictGet('mi_0_edges', 'slope', fo0_cell) as fo0_slope, dictGet('mi_0_edges', 'hx', fo0_cell) as fo0_hx, dictGet('mi_0_edges', 'bit', fo0_cell) as fo0_bit, dictGet('mi_0_edges', 'rx', fd0_cell) as fd0_rx, dictGet('mi_0_edges', 'ry', fd0_cell) as fd0_ry, dictGet('mi_0_edges', 'faces', fd0_cell) as fd0_faces, dictGet('mi_0_edges', 'ref', fd0_cell) as fd0_ref, dictGet('mi_0_edges', 'x0', fd0_cell) as fd0_x0, dictGet('mi_0_edges', 'x1', fd0_cell) as fd0_x1, dictGet('mi_0_edges', 'y0', fd0_cell) as fd0_y0, dictGet('mi_0_edges', 'slope', fd0_cell) as fd0_slope, dictGet('mi_0_edges', 'hx', fd0_cell) as fd0_hx, dictGet('mi_0_edges', 'bit', fd0_cell) as fd0_bit from (select *, toUInt64(if(o0 >= {p6:UInt64}, o0 - {p7:UInt64}, {p8:UInt64})) as fo0_cell, toUInt64(if(d0 >= {p9:UInt64}, d0 - {p10:UInt64}, {p11:UInt64})) as fd0_cell from (
    select day, tupleElement(exact_row, {p12:UInt8}) as start_lon, tupleElement(exact_row, {p13:UInt8}) as start_lat, tupleElement(exact_row, {p14:UInt8}) as end_lon, tupleElement(exact_row, {p15:UInt8}) as end_lat, 
      if(needs_exact_test, 1, pairs) as n, if(
        needs_exact_test,
        tupleElement(exact_row, {p16:UInt8}),
        pairs_measured
      ) as measured, if(needs_exact_test, tupleElement(exact_row, {p17:UInt8}), pairs_mm) as mm, if(needs_exact_test, tupleElement(exact_row, {p18:UInt8}), ko0) as o0, if(needs_exact_test, tupleElement(exact_row, {p19:UInt8}), kd0) as d0
    from (
    select day, if(needs_exact_test, toUInt32(0), o0) as ko0, if(needs_exact_test, toUInt32(0), d0) as kd0, 
      needs_exact_test, count() as pairs, sum(is_measured) as pairs_measured, sum(mm) as pairs_mm, groupArrayIf(
        (start_lon, start_lat, end_lon, end_lat, is_measured, mm, o0, d0),
        needs_exact_test
      ) as exact_rows
    from (select *, toUInt8(o0 >= {p20:UInt64} or d0 >= {p21:UInt64}) as needs_exact_test from (select *, if(o0_coarse >= {p22:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p23:UInt64} + (o0_coarse - {p24:UInt64}) * {p25:UInt64} + least(toUInt64((o0_v - o0_j) * {p26:UInt64}), {p27:UInt64}) * {p28:UInt64} + least(toUInt64((o0_u - o0_i) * {p29:UInt64}), {p30:UInt64}))), o0_coarse) as o0, if(d0_coarse >= {p31:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p32:UInt64} + (d0_coarse - {p33:UInt64}) * {p34:UInt64} + least(toUInt64((d0_v - d0_j) * {p35:UInt64}), {p36:UInt64}) * {p37:UInt64} + least(toUInt64((d0_u - d0_i) * {p38:UInt64}), {p39:UInt64}))), d0_coarse) as d0 from (select *, if(o0_inside, dictGet('mi_0_codes', 'code', o0_j * {p40:UInt64} + o0_i), toUInt32(0)) as o0_coarse, if(d0_inside, dictGet('mi_0_codes', 'code', d0_j * {p41:UInt64} + d0_i), toUInt32(0)) as d0_coarse from (select *, least(toUInt64(o0_u), {p42:UInt64}) as o0_i, least(toUInt64(o0_v), {p43:UInt64}) as o0_j, least(toUInt64(d0_u), {p44:UInt64}) as d0_i, least(toUInt64(d0_v), {p45:UInt64}) as d0_j from (select *, if(o0_inside, (start_lon - {p46:Float64}) / {p47:Float64}, 0) as o0_u, if(o0_inside, (start_lat - {p48:Float64}) / {p49:Float64}, 0) as o0_v, if(d0_inside, (end_lon - {p50:Float64}) / {p51:Float64}, 0) as d0_u, if(d0_inside, (end_lat - {p52:Float64}) / {p53:Float64}, 0) as d0_v from (select *, start_lon >= {p46:Float64} and start_lon < {p54:Float64} and start_lat >= {p48:Float64} and start_lat < {p55:Float64} as o0_inside, end_lon >= {p50:Float64} and end_lon < {p56:Float64} and end_lat >= {p52:Float64} and end_lat < {p57:Float64} as d0_inside from (select local_date as day, start_lon, start_lat, end_lon, end_lat, 
      toUInt8(
        isFinite(distance_m)
        and distance_m >= 0
        and bitAnd(quality, {p58:UInt16}) = 0
      ) as is_measured, if(is_measured, toUInt64(floor(distance_m * 1000 + 0.5)), 0) as mm from (select * from trips final where region_id in {scope_regions:Array(String)}) where region_id = {p59:String} and local_date >= {p60:Date} and local_date <= {p61:Date} and operator in {p62:Array(String)} and vehicle_type = {p63:String} and toDayOfWeek(local_date) in {p64:Array(UInt8)} and local_hour >= {p65:UInt8} and local_hour <= {p66:UInt8})))))))
    group by day, ko0, kd0, needs_exact_test) left
    array join exact_rows as exact_row)))))))
      array join arrayDistinct(
        arrayConcat(origin_shapes, destination_shapes, [{p0:UInt32}])
      ) as shape
    )
    group by day, shape
order by day, shape

-- p0 = 4294967295
-- p1 = 3
-- p2 = 3
-- p3 = 0
-- p4 = 2147483648
-- p5 = 2147483648
-- p6 = 2147483648
-- p7 = 2147483648
-- p8 = 2147483646
-- p9 = 2147483648
-- p10 = 2147483648
-- p11 = 2147483646
-- p12 = 1
-- p13 = 2
-- p14 = 3
-- p15 = 4
-- p16 = 5
-- p17 = 6
-- p18 = 7
-- p19 = 8
-- p20 = 2147483648
-- p21 = 2147483648
-- p22 = 1073741824
-- p23 = 16
-- p24 = 1073741824
-- p25 = 64
-- p26 = 8
-- p27 = 7
-- p28 = 8
-- p29 = 8
-- p30 = 7
-- p31 = 1073741824
-- p32 = 16
-- p33 = 1073741824
-- p34 = 64
-- p35 = 8
-- p36 = 7
-- p37 = 8
-- p38 = 8
-- p39 = 7
-- p40 = 4
-- p41 = 4
-- p42 = 3
-- p43 = 3
-- p44 = 3
-- p45 = 3
-- p46 = -1
-- p47 = 0.5
-- p48 = -1
-- p49 = 0.5
-- p50 = -1
-- p51 = 0.5
-- p52 = -1
-- p53 = 0.5
-- p54 = 1
-- p55 = 1
-- p56 = 1
-- p57 = 1
-- p58 = 63
-- scope_regions = ["here"]
-- p59 = "here"
-- p60 = "2026-01-01"
-- p61 = "2026-01-31"
-- p62 = ["zephyr"]
-- p63 = "bicycle"
-- p64 = [1,7]
-- p65 = 7
-- p66 = 18
