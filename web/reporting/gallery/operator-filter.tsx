import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { sample } from './sample-data.ts'

interface Props {
  value: string | undefined
  onChange: (part: { operator: string | undefined }) => void
}

/** A filter of the example dashboard. */
export function OperatorFilter({ value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('reporting:gallery.operator')}
      placeholder={t('reporting:gallery.all')}
      clearable
      data={sample.operators.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value ?? null}
      onChange={(chosen) => onChange({ operator: chosen ?? undefined })}
    />
  )
}
