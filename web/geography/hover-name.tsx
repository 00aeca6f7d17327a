import { useTranslation } from 'react-i18next'
import { getShape } from '#contract/geography.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import styles from './geography.module.css'

interface Props {
  regionId: string
  id: string
  /** The name, if it is already loaded. */
  known: string | undefined
}

/** The name of the shape under the pointer. */
export function HoverName({ regionId, id, known }: Props) {
  const { t } = useTranslation()
  const { data } = useEndpointQuery(
    getShape,
    { params: { region_id: regionId, shape_uuid: id } },
    { enabled: known === undefined && !id.startsWith('new:') },
  )
  return <span className={styles['hover']}>{known ?? data?.shape_name ?? t('kit:loading')}</span>
}
