import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'

/** A page of a region with its filters, saved under a name. */
export const SavedView = z
  .object({
    view_id: z.uuid(),
    name: z.string(),
    /** Path of the page below the region, such as `mobility/maps/trips`. */
    path: z.string(),
    /** The URL's query, such as `?operators=heron`; may be empty. */
    search: z.string(),
    /** Whether every city user who can see the region sees it. */
    is_shared: z.boolean(),
    created_by: z.string(),
    created_time: z.iso.datetime(),
    /** Whether the viewer may delete it: its owner may, and administrators may delete shared ones. */
    can_delete: z.boolean(),
  })
  .meta({ id: 'SavedView' })
export type SavedView = z.infer<typeof SavedView>

/** Maximum number of saved views per user and region. */
export const maxSavedViews = 200

const regionParams = z.object({ region_id: z.string() })

export const listSavedViews = endpoint({
  route: 'GET /regions/{region_id}/saved_views',
  permission: 'signed_in',
  summary: 'Saved views of the user and those shared within the organization, by name',
  request: { params: regionParams },
  response: z.object({ items: z.array(SavedView) }),
})
export const saveView = endpoint({
  route: 'POST /regions/{region_id}/saved_views',
  prefixes: ['/v2'],
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Save a page with its filters',
  request: {
    params: regionParams,
    body: z.object({
      name: nameSchema(80),
      path: z
        .string()
        .regex(/^[a-z0-9-]+(\/[\w-]+)*$/, 'A path below the region')
        .max(200),
      search: z
        .string()
        .regex(/^(\?[^#]*)?$/, 'A query that starts with ?')
        .max(4000),
      is_shared: z.boolean().default(false),
    }),
  },
  response: SavedView,
})
export const deleteSavedView = endpoint({
  route: 'DELETE /regions/{region_id}/saved_views/{view_id}',
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Delete a saved view',
  request: { params: regionParams.extend({ view_id: z.uuid() }) },
  response: z.object({ deleted: z.boolean() }),
})
