/** Who a layer's shapes come from and must be named for it wherever it is drawn, such as "© OpenStreetMap contributors". */
export const basemap = {
  name: '013-basemap',
  sql: `
alter table layer add column attribution text;`,
}
