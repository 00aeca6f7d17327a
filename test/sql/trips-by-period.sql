select
    toString(greatest(toMonday(local_date), {p0:Date})) as start,
    operator,
    count() as trips,
    countIf(isFinite(distance_m) and bitAnd(quality, {p1:UInt16}) = 0) as measured,
    countIf(isFinite(duration_s) and bitAnd(quality, {p2:UInt16}) = 0) as timed,
    quantileExactInclusiveIf(0.5)(distance_m, isFinite(distance_m) and bitAnd(quality, {p3:UInt16}) = 0) as median_distance,
    quantileExactInclusiveIf(0.5)(duration_s, isFinite(duration_s) and bitAnd(quality, {p4:UInt16}) = 0) as median_duration
  from (select * from trips final where region_id in {scope_regions:Array(String)})
  where region_id = {p5:String} and local_date >= {p6:Date} and local_date <= {p7:Date} and operator in {p8:Array(String)} and vehicle_type = {p9:String}
  group by start, operator
  order by start, operator

-- p0 = "2026-01-01"
-- p1 = 63
-- p2 = 63
-- p3 = 63
-- p4 = 63
-- scope_regions = ["here"]
-- p5 = "here"
-- p6 = "2026-01-01"
-- p7 = "2026-01-31"
-- p8 = ["zephyr"]
-- p9 = "bicycle"
