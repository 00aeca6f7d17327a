import { useMe } from './me.tsx'
import { Redirect } from './redirect.tsx'

/** `/admin`: on to the first page that the administrator can use. */
export function AdminIndex() {
  return <Redirect to={useMe().user.regionIds ? '/admin/regions' : '/admin/organization'} />
}
