select
    count() as facts,
    toString(min(local_date)) as first_day,
    toString(max(local_date)) as last_day,
    arraySort(groupUniqArray(operator)) as operators,
    arraySort(groupUniqArray(vehicle_type)) as vehicle_types
  from (select * from trips final where region_id in {scope_regions:Array(String)})
  where region_id = {p0:String}

-- scope_regions = ["here"]
-- p0 = "here"
