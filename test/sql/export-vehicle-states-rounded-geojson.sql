select concat('{"type":"Feature","geometry":', if(round(source.lon, {p0:UInt8}) is null or round(source.lat, {p0:UInt8}) is null, 'null', concat('{"type":"Point","coordinates":[', toString(assumeNotNull(round(source.lon, {p0:UInt8}))), ',', toString(assumeNotNull(round(source.lat, {p0:UInt8}))), ']}')), ',"properties":', toJSONString(cast(tuple(source.operator, source.vehicle_type, source.state, source.event_types, toDateTime64(toStartOfHour(source.from_time, {p1:String}), 3, 'UTC'), toDateTime64(toStartOfHour(source.to_time, {p2:String}), 3, 'UTC'), round(source.lon, {p0:UInt8}), round(source.lat, {p0:UInt8}), source.accuracy_m, source.battery), {p3:String})), '}') as feature from (
  select
    operator,
    vehicle_type,
    toString(device_id) as device_id,
    state,
    arrayStringConcat(event_types, ' ') as event_types,
    from_time,
    if(to_time >= toDateTime64('2200-01-01 00:00:00', 3, 'UTC'), null, to_time) as to_time,
    if(trip_id = toUUID({p4:String}), null, toString(trip_id)) as trip_id,
    
    if(isNaN(lon), null, lon) as lon,
    if(isNaN(lat), null, lat) as lat,
    if(isNaN(accuracy), null, accuracy) as accuracy_m,
    if(isNaN(battery), null, battery) as battery
  from (select * from vehicle_intervals final where region_id in {scope_regions:Array(String)}) as facts
  where region_id = {p5:String} and facts.from_time >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC') and facts.from_time < fromUnixTimestamp64Milli({p7:Int64}, 'UTC') and operator in {p8:Array(String)} and vehicle_type in {p9:Array(String)}) as source order by toDateTime64(toStartOfHour(source.from_time, {p10:String}), 3, 'UTC'), source.operator, round(source.lon, {p0:UInt8}), round(source.lat, {p0:UInt8})

-- p0 = 3
-- p1 = "America/New_York"
-- p2 = "America/New_York"
-- p3 = "Tuple(operator Nullable(String), vehicle_type Nullable(String), state Nullable(String), event_types Nullable(String), from_time Nullable(DateTime64(3, 'UTC')), to_time Nullable(DateTime64(3, 'UTC')), lon Nullable(Float64), lat Nullable(Float64), accuracy_m Nullable(Float64), battery Nullable(Float64))"
-- p4 = "00000000-0000-0000-0000-000000000000"
-- scope_regions = ["here"]
-- p5 = "here"
-- p6 = "1772341200000"
-- p7 = "1775016000000"
-- p8 = ["zephyr"]
-- p9 = ["bicycle"]
-- p10 = "America/New_York"
