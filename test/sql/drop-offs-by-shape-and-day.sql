select bucket, shape, sum(part.events) as events
    from (
      select
        *,
        arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), {p0:UInt32})) as shape
      from (select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), dictGet('mi_0_faces', 'shapes', toUInt64(f0)))) as shapes from (select *, if(c0 >= {p1:UInt64}, arrayElement(f0_faces, bitXor(f0_ref, arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if(((hx <= lon) != (hx <= f0_rx)) != (x0 <= lon and lon < x1 and ((y0 + (lon - x0) * slope <= lat) != (y0 + (lon - x0) * slope <= f0_ry))), bit, toUInt32(0)), f0_x0, f0_x1, f0_y0, f0_slope, f0_hx, f0_bit))) + 1), c0) as f0 from (select *, dictGet('mi_0_edges', 'rx', bitXor(c0, {p2:UInt64})) as f0_rx, dictGet('mi_0_edges', 'ry', bitXor(c0, {p2:UInt64})) as f0_ry, dictGet('mi_0_edges', 'faces', bitXor(c0, {p2:UInt64})) as f0_faces, dictGet('mi_0_edges', 'ref', bitXor(c0, {p2:UInt64})) as f0_ref, dictGet('mi_0_edges', 'x0', bitXor(c0, {p2:UInt64})) as f0_x0, dictGet('mi_0_edges', 'x1', bitXor(c0, {p2:UInt64})) as f0_x1, dictGet('mi_0_edges', 'y0', bitXor(c0, {p2:UInt64})) as f0_y0, dictGet('mi_0_edges', 'slope', bitXor(c0, {p2:UInt64})) as f0_slope, dictGet('mi_0_edges', 'hx', bitXor(c0, {p2:UInt64})) as f0_hx, dictGet('mi_0_edges', 'bit', bitXor(c0, {p2:UInt64})) as f0_bit from (
    select
      bucket, c0, at_lon as lon,
      at_lat as lat,
      sum(part.events) as events
    from (
      select *, if(c0 >= {p3:UInt64}, place.lon, 0) as at_lon, if(c0 >= {p3:UInt64}, place.lat, 0) as at_lat
      from (select *, if(c0_coarse >= {p4:UInt64}, dictGet('mi_0_codes', 'code', toUInt64({p5:UInt64} + (c0_coarse - {p6:UInt64}) * {p7:UInt64} + least(toUInt64((c0_v - least(toUInt64(c0_v), {p8:UInt64})) * {p9:UInt64}), {p10:UInt64}) * {p11:UInt64} + least(toUInt64((c0_u - least(toUInt64(c0_u), {p12:UInt64})) * {p13:UInt64}), {p14:UInt64}))), c0_coarse) as c0 from (select *, if(c0_inside, dictGet('mi_0_codes', 'code', least(toUInt64(c0_v), {p8:UInt64}) * {p15:UInt64} + least(toUInt64(c0_u), {p12:UInt64})), toUInt32(0)) as c0_coarse from (select *, lon >= {p16:Float64} and lon < {p17:Float64} and lat >= {p18:Float64} and lat < {p19:Float64} as c0_inside, if(lon >= {p16:Float64} and lon < {p17:Float64}, (lon - {p16:Float64}) / {p20:Float64}, 0) as c0_u, if(lat >= {p18:Float64} and lat < {p19:Float64}, (lat - {p18:Float64}) / {p21:Float64}, 0) as c0_v from (select lon, lat, bucket, toUInt64(1) as events from (
  with
    moments as (
      select *, toTimeZone(toDateTime(intDiv(bitXor(at, 0), 1000), 'UTC'), {p22:String}) as local
      from (
  select *
  from (select * from (
  select
    event.region_id as region_id,
    event.operator as operator,
    if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type,
    event.lon as lon,
    event.lat as lat,
    toUnixTimestamp64Milli(event.event_time) as at
  from (
    select region_id, operator, device_id, event_time, lon, lat
    from (select * from vehicle_events final where region_id in {scope_regions:Array(String)})
    where region_id = {p23:String} and superseded = 0
      and hasAny(event_types, {p24:Array(String)}) and (event_time >= fromUnixTimestamp64Milli({p25:Int64}) and event_time < fromUnixTimestamp64Milli({p26:Int64}))
  ) as event
  left join (
    select operator, device_id, vehicle_type from (select * from vehicles final where region_id in {scope_regions:Array(String)}) where region_id = {p27:String}
  ) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id) where region_id = {p28:String} and operator in {p29:Array(String)} and vehicle_type = {p30:String})
  where at >= {p31:Int64} and at < {p32:Int64})
    )
  select *, toString(toDate(local)) as bucket
  from moments
  where toDayOfWeek(local) in {p33:Array(UInt8)} and toHour(local) >= {p34:UInt8} and toHour(local) <= {p35:UInt8}))))) as place
    ) as part
    group by bucket, c0, at_lon, at_lat))))
      
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
-- p22 = "America/New_York"
-- scope_regions = ["here"]
-- p23 = "here"
-- p24 = ["provider_drop_off","agency_drop_off"]
-- p25 = "1767243600000"
-- p26 = "1769922000000"
-- p27 = "here"
-- p28 = "here"
-- p29 = ["zephyr"]
-- p30 = "bicycle"
-- p31 = "1767243600000"
-- p32 = "1769922000000"
-- p33 = [1,7]
-- p34 = 7
-- p35 = 18
