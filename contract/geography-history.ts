import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Note } from './boundary-files.ts'
import { Layer, SeenTime, Shape, ShapeAction, ShapeName, ShapeVersion } from './geography.ts'
import { pageQuery, pageSchema } from './page.ts'
import { GeometryShape } from './place.ts'

/** One entry in the history of a layer. */
export const LayerAction = ShapeVersion.pick({
  version: true,
  act: true,
  changes: true,
  shape_name: true,
  changed_by: true,
})
  .extend({ shape_uuid: z.uuid(), changed_time: z.string(), is_deleted: z.boolean() })
  .meta({ id: 'LayerAct' })
export type LayerAction = z.infer<typeof LayerAction>

const regionParams = z.object({ region_id: z.string() })
const layerParams = regionParams.extend({ shape_layer_uuid: z.uuid() })
const shapeParams = regionParams.extend({ shape_uuid: z.uuid() })
const description = z.string().max(2000).nullable()
const shapeReference = z.object({ shape_uuid: z.uuid(), if_modified_time: SeenTime })

/** Maximum number of changes in a batch: a drawing session is saved at once. */
export const maxShapeChanges = 5000

/** Lists of a batch. Issues of an error name the list and the position in it. */
export const changeLists = ['created', 'changed', 'deleted'] as const
export type ChangeList = (typeof changeLists)[number]

export const ShapeChanges = z
  .object({
    created: z
      .array(
        z.object({ shape_name: ShapeName, shape_description: description.optional(), geom: GeometryShape }),
      )
      .default([]),
    changed: z
      .array(
        shapeReference.extend({
          shape_name: ShapeName.optional(),
          shape_description: description.optional(),
          geom: GeometryShape.optional(),
        }),
      )
      .default([]),
    deleted: z.array(shapeReference).default([]),
    /** Deletes even if the shapes have dependents. */
    confirm: z.boolean().default(false),
  })
  .refine(
    ({ created, changed, deleted }) => created.length + changed.length + deleted.length <= maxShapeChanges,
    `At most ${maxShapeChanges} changes at once`,
  )
  .refine(
    ({ changed, deleted }) =>
      new Set([...changed, ...deleted].map(({ shape_uuid }) => shape_uuid)).size ===
      changed.length + deleted.length,
    'A shape may occur in only one list, and only once',
  )

/** `current` of a refused batch: `position` counts from 0 in its list; `current` is null if deleted. */
export const ShapeConflicts = z.object({
  conflicts: z.array(
    z.object({
      list: z.enum(['changed', 'deleted']),
      position: z.number().int(),
      shape_uuid: z.uuid(),
      current: Shape.nullable(),
    }),
  ),
})
export type ShapeConflicts = z.infer<typeof ShapeConflicts>

/**
 * Applies all changes or none. An unusable geometry is a 422; a shape that another user has changed in the meantime
 * is a 409 with ShapeConflicts in `current`. Both name every entry in `issues` (`body.changed.0`). Deleting
 * shapes with dependents requires `confirm`, as in deleteShape.
 */
export const changeShapes = endpoint({
  route: 'POST /regions/{region_id}/layers/{shape_layer_uuid}/changes',
  longBody: true,
  permission: 'edit_geography',
  summary: 'Create, change and delete shapes of a layer together, all or none',
  request: { params: layerParams, body: ShapeChanges },
  response: z.object({
    layer: Layer,
    created: z.array(Shape),
    changed: z.array(Shape),
    deleted: z.array(z.uuid()),
    /** Repairs made to geometries. */
    notes: z.array(Note.extend({ list: z.enum(changeLists) })),
  }),
})
export const listLayerHistory = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/history',
  permission: 'signed_in',
  summary: 'Changes of the shapes of a layer with their authors, newest first',
  request: {
    params: layerParams,
    query: z.object({ act: ShapeAction.optional(), text: z.string().max(200).optional(), ...pageQuery(50) }),
  },
  response: pageSchema(LayerAction),
})
/** Restoring creates a new version, so no history is lost. Deleted shapes can be restored too. */
export const restoreShape = endpoint({
  route: 'POST /regions/{region_id}/shapes/{shape_uuid}/restore',
  permission: 'edit_geography',
  summary: 'Give a shape back the name, description and geometry of a version',
  request: {
    params: shapeParams,
    body: z.object({ version: z.number().int().min(1), if_modified_time: SeenTime.optional() }),
  },
  response: Shape,
})
