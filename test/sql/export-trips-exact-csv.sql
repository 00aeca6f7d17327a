select if(match(ifNull(source.trip_id, ''), {p0:String}) and not match(ifNull(source.trip_id, ''), {p1:String}), concat('''', source.trip_id), source.trip_id) as trip_id, if(match(ifNull(source.operator, ''), {p2:String}) and not match(ifNull(source.operator, ''), {p3:String}), concat('''', source.operator), source.operator) as operator, if(match(ifNull(source.vehicle_type, ''), {p4:String}) and not match(ifNull(source.vehicle_type, ''), {p5:String}), concat('''', source.vehicle_type), source.vehicle_type) as vehicle_type, if(match(ifNull(source.vehicle_id, ''), {p6:String}) and not match(ifNull(source.vehicle_id, ''), {p7:String}), concat('''', source.vehicle_id), source.vehicle_id) as vehicle_id, source.start_time as start_time, source.end_time as end_time, source.local_date as local_date, source.local_hour as local_hour, source.start_lon as start_lon, source.start_lat as start_lat, source.end_lon as end_lon, source.end_lat as end_lat, source.distance_m as distance_m, source.duration_s as duration_s, if(match(ifNull(source.quality_flags, ''), {p8:String}) and not match(ifNull(source.quality_flags, ''), {p9:String}), concat('''', source.quality_flags), source.quality_flags) as quality_flags, if(match(ifNull(source.source, ''), {p10:String}) and not match(ifNull(source.source, ''), {p11:String}), concat('''', source.source), source.source) as source from (
  select
    toString(trip_id) as trip_id,
    operator,
    vehicle_type,
    vehicle_id,
    start_time,
    end_time,
    local_date,
    local_hour,
    if(isNaN(start_lon), null, start_lon) as start_lon,
    if(isNaN(start_lat), null, start_lat) as start_lat,
    if(isNaN(end_lon), null, end_lon) as end_lon,
    if(isNaN(end_lat), null, end_lat) as end_lat,
    if(isNaN(distance_m), null, distance_m) as distance_m,
    if(isNaN(duration_s), null, duration_s) as duration_s,
    if(quality = 0, '', arrayStringConcat(arrayFilter((name, bit) -> bitAnd(quality, bit) > 0, {p12:Array(String)}, {p13:Array(UInt32)}), ' ')) as quality_flags,
    source
  from (select * from trips final where region_id in {scope_regions:Array(String)})
  where region_id = {p14:String} and local_date >= {p15:Date} and local_date <= {p16:Date} and operator in {p17:Array(String)} and vehicle_type in {p18:Array(String)}) as source order by source.start_time, source.trip_id, source.operator, source.vehicle_id, source.start_lon, source.start_lat, source.end_lon, source.end_lat

-- p0 = "^[=+@\\t\\r-]"
-- p1 = "^-[0-9]+([.][0-9]+)?$"
-- p2 = "^[=+@\\t\\r-]"
-- p3 = "^-[0-9]+([.][0-9]+)?$"
-- p4 = "^[=+@\\t\\r-]"
-- p5 = "^-[0-9]+([.][0-9]+)?$"
-- p6 = "^[=+@\\t\\r-]"
-- p7 = "^-[0-9]+([.][0-9]+)?$"
-- p8 = "^[=+@\\t\\r-]"
-- p9 = "^-[0-9]+([.][0-9]+)?$"
-- p10 = "^[=+@\\t\\r-]"
-- p11 = "^-[0-9]+([.][0-9]+)?$"
-- p12 = ["ends_before_start","over_24_hours","zero_distance","zero_duration","impossible_distance","impossible_speed","origin_outside_region","destination_outside_region","no_origin","no_destination","no_end_time","skipped_hour","unknown_vehicle_type"]
-- p13 = [1,2,4,8,16,32,64,128,256,512,1024,2048,4096]
-- scope_regions = ["here"]
-- p14 = "here"
-- p15 = "2026-03-01"
-- p16 = "2026-03-31"
-- p17 = ["zephyr"]
-- p18 = ["bicycle"]
