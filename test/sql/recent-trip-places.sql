select start_lon as lon, start_lat as lat
  from (select * from trips final where region_id in {scope_regions:Array(String)})
  where region_id = {p0:String} and local_date >= {p1:Date} and local_date <= {p2:Date} and operator in {p3:Array(String)} and vehicle_type = {p4:String} and toDayOfWeek(local_date) in {p5:Array(UInt8)} and local_hour >= {p6:UInt8} and local_hour <= {p7:UInt8} and isFinite(lon) and isFinite(lat)
  order by start_time desc, trip_id
  limit {p8:UInt32}

-- scope_regions = ["here"]
-- p0 = "here"
-- p1 = "2026-01-01"
-- p2 = "2026-01-31"
-- p3 = ["zephyr"]
-- p4 = "bicycle"
-- p5 = [1,7]
-- p6 = 7
-- p7 = 18
-- p8 = 10000
