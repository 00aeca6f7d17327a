select source.operator as operator, source.vehicle_type as vehicle_type, toDateTime64(toStartOfHour(source.start_time, {p0:String}), 3, 'UTC') as start_time, toDateTime64(toStartOfHour(source.end_time, {p1:String}), 3, 'UTC') as end_time, source.local_date as local_date, source.local_hour as local_hour, round(source.start_lon, {p2:UInt8}) as start_lon, round(source.start_lat, {p2:UInt8}) as start_lat, round(source.end_lon, {p2:UInt8}) as end_lon, round(source.end_lat, {p2:UInt8}) as end_lat, source.distance_m as distance_m, source.duration_s as duration_s, source.quality_flags as quality_flags, source.source as source from (
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
    if(quality = 0, '', arrayStringConcat(arrayFilter((name, bit) -> bitAnd(quality, bit) > 0, {p3:Array(String)}, {p4:Array(UInt32)}), ' ')) as quality_flags,
    source
  from (select * from trips final where region_id in {scope_regions:Array(String)})
  where region_id = {p5:String} and local_date >= {p6:Date} and local_date <= {p7:Date} and operator in {p8:Array(String)} and vehicle_type in {p9:Array(String)}) as source order by toDateTime64(toStartOfHour(source.start_time, {p10:String}), 3, 'UTC'), source.operator, round(source.start_lon, {p2:UInt8}), round(source.start_lat, {p2:UInt8}), round(source.end_lon, {p2:UInt8}), round(source.end_lat, {p2:UInt8})

-- p0 = "America/New_York"
-- p1 = "America/New_York"
-- p2 = 3
-- p3 = ["ends_before_start","over_24_hours","zero_distance","zero_duration","impossible_distance","impossible_speed","origin_outside_region","destination_outside_region","no_origin","no_destination","no_end_time","skipped_hour","unknown_vehicle_type"]
-- p4 = [1,2,4,8,16,32,64,128,256,512,1024,2048,4096]
-- scope_regions = ["here"]
-- p5 = "here"
-- p6 = "2026-03-01"
-- p7 = "2026-03-31"
-- p8 = ["zephyr"]
-- p9 = ["bicycle"]
-- p10 = "America/New_York"
