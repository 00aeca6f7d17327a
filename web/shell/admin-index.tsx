import { Redirect } from './redirect.tsx'

/** `/admin`: on to the first of its pages. */
export function AdminIndex() {
  return <Redirect to="/admin/organization" />
}
