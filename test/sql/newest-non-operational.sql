select event.operator as operator, if(vehicle.vehicle_id = '', toString(event.device_id), vehicle.vehicle_id) as vehicle_id, event.vehicle_type as vehicle_type, event.begins as begins, event.ends as ends, event.event_types as event_types,
    if(isFinite(event.lon), event.lon, null) as lon, if(isFinite(event.lat), event.lat, null) as lat
  from (select * from (
  select operator, device_id, vehicle_type, event_types, lon, lat, toUnixTimestamp64Milli(from_time) as begins, toUnixTimestamp64Milli(least(to_time, from_time + toIntervalHour({p0:UInt32}))) as ends
  from (select * from vehicle_intervals final where region_id in {scope_regions:Array(String)})
  where region_id = {p1:String} and operator in {p2:Array(String)} and vehicle_type = {p3:String} and state = 'non_operational' and from_time >= fromUnixTimestamp64Milli({p4:Int64}) and from_time < fromUnixTimestamp64Milli({p5:Int64})) order by begins desc, operator, device_id limit {p6:UInt32}) as event
  left join (select operator, device_id, vehicle_id from (select * from vehicles final where region_id in {scope_regions:Array(String)}) where region_id = {p7:String}) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id
  order by begins desc, operator, vehicle_id

-- p0 = 48
-- scope_regions = ["here"]
-- p1 = "here"
-- p2 = ["zephyr"]
-- p3 = "bicycle"
-- p4 = "1767243600000"
-- p5 = "1769922000000"
-- p6 = 10000
-- p7 = "here"
