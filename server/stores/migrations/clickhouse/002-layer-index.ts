/**
 * The membership index of a layer (see docs/decisions): two levels of cells whose code is a face, a block of finer cells or
 * an edge cell; the edges of edge cells; the faces with their shapes. `index_id` is the content: rows never change.
 */
export const layerIndex = {
  name: '002-layer-index',
  statements: [
    `create table if not exists layer_indexes (index_id String, content String, part UInt8, grid String) engine = MergeTree order by (content, part)`,
    `create table if not exists layer_codes (index_id String, first UInt64, codes Array(UInt32)) engine = MergeTree order by (index_id, first)`,
    `create table if not exists layer_edges (
      index_id String, edge_cell UInt64, rx Float64, ry Float64, faces Array(UInt32), ref UInt32,
      x0 Array(Float64), x1 Array(Float64), y0 Array(Float64), slope Array(Float64), hx Array(Float64), bit Array(UInt32)
    ) engine = MergeTree order by (index_id, edge_cell)`,
    `create table if not exists layer_faces (index_id String, face UInt64, shapes Array(UInt32)) engine = MergeTree order by (index_id, face)`,
  ],
}
