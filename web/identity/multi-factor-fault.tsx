import { useTranslation } from 'react-i18next'
import { FaultNote } from './fault-note.tsx'

/** What went wrong about a second factor, under the heading of the profile's flow. */
export function MultiFactorFault({ text }: { text: string | null }) {
  const { t } = useTranslation()
  return <FaultNote fault={text ? { title: t('account:factors.fault'), text } : null} />
}
