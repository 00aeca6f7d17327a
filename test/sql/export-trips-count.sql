select
    count() as rows,
    uniqExact(toDate(source.start_time, {p0:String})) as days,
    toString(min(toDate(source.start_time, {p0:String}))) as first_day,
    toString(max(toDate(source.start_time, {p0:String}))) as last_day
  from (
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
    if(quality = 0, '', arrayStringConcat(arrayFilter((name, bit) -> bitAnd(quality, bit) > 0, {p1:Array(String)}, {p2:Array(UInt32)}), ' ')) as quality_flags,
    source
  from (select * from trips final where region_id in {scope_regions:Array(String)})
  where region_id = {p3:String} and local_date >= {p4:Date} and local_date <= {p5:Date} and operator in {p6:Array(String)} and vehicle_type in {p7:Array(String)}) as source

-- p0 = "America/New_York"
-- p1 = ["ends_before_start","over_24_hours","zero_distance","zero_duration","impossible_distance","impossible_speed","origin_outside_region","destination_outside_region","no_origin","no_destination","no_end_time","skipped_hour","unknown_vehicle_type"]
-- p2 = [1,2,4,8,16,32,64,128,256,512,1024,2048,4096]
-- scope_regions = ["here"]
-- p3 = "here"
-- p4 = "2026-03-01"
-- p5 = "2026-03-31"
-- p6 = ["zephyr"]
-- p7 = ["bicycle"]
