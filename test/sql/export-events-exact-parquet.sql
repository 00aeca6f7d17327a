select source.event_id as event_id, source.operator as operator, source.vehicle_type as vehicle_type, source.device_id as device_id, source.vehicle_id as vehicle_id, source.event_time as event_time, source.state as state, source.event_types as event_types, source.trip_ids as trip_ids, source.lon as lon, source.lat as lat, source.accuracy_m as accuracy_m, source.battery as battery, source.received_time as received_time from (
  select
    toString(event_id) as event_id,
    operator,
    if(vehicle_type = '', 'other', vehicle_type) as vehicle_type,
    toString(device_id) as device_id,
    vehicle_id,
    event_time,
    state,
    arrayStringConcat(event_types, ' ') as event_types,
    arrayStringConcat(arrayMap(trip -> toString(trip), trip_ids), ' ') as trip_ids,
    
    if(isNaN(lon), null, lon) as lon,
    if(isNaN(lat), null, lat) as lat,
    if(isNaN(accuracy), null, accuracy) as accuracy_m,
    if(isNaN(battery), null, battery) as battery,
    received_time
  from (
    select *
    from (
      select * from (select * from vehicle_events final where region_id in {scope_regions:Array(String)}) as facts
      where region_id = {p0:String} and facts.event_time >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and facts.event_time < fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and operator in {p3:Array(String)} and superseded = 0
    ) as happened
    left any join (
      select operator, device_id, vehicle_id, vehicle_type
      from (select * from vehicles final where region_id in {scope_regions:Array(String)})
      where region_id = {p4:String}
    ) as registered using (operator, device_id)) as facts
  where if(facts.vehicle_type = '', 'other', facts.vehicle_type) in {p5:Array(String)}) as source order by source.event_time, source.event_id, source.operator, source.device_id, source.vehicle_id, source.trip_ids, source.lon, source.lat

-- scope_regions = ["here"]
-- p0 = "here"
-- p1 = "1772341200000"
-- p2 = "1775016000000"
-- p3 = ["zephyr"]
-- p4 = "here"
-- p5 = ["bicycle"]
