import { useMe } from './me.tsx'
import { Redirect } from './redirect.tsx'

/** `/admin`: redirects to the first page that the administrator may use. */
export function AdminIndex() {
  return <Redirect to={useMe().user.regionIds ? '/admin/regions' : '/admin/organization'} />
}
