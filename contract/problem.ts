import { z } from 'zod'

/** The body of every error response. Users can quote `id` to the people who run the server. */
export const ProblemBody = z
  .object({
    success: z.literal(false),
    code: z.string(),
    status: z.number().int(),
    title: z.string(),
    detail: z.string(),
    id: z.string(),
    /** For a validation error: which fields of the request are invalid. */
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    /** Seconds to wait before a retry, as in the header Retry-After. */
    retry_after: z.number().int().optional(),
    /** For a conflict: the stored object, in the form in which the call would return it. */
    current: z.unknown().optional(),
  })
  .meta({ id: 'Problem' })
export type ProblemBody = z.infer<typeof ProblemBody>
