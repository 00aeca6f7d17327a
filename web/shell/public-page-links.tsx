import { Anchor, Button, Group } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '#web/kit/copy-field.tsx'

/** The URL of a public page, with buttons to copy and open it. */
export function PublicPageField({ address }: { address: string }) {
  const { t } = useTranslation()
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap" mb="md" maw={720}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <CopyField label={t('shell:publicPage.live')} value={`${location.origin}${address}`} />
      </div>
      {/* The padding aligns the link with the input below its label. */}
      <Anchor href={address} target="_blank" rel="noreferrer" title={t('shell:newTab')} size="sm" pt={32}>
        {t('shell:publicPage.openOne')}
      </Anchor>
    </Group>
  )
}

/** Opens the public page of a library. */
export function PublicPageButton({ address }: { address: string }) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      component="a"
      href={address}
      target="_blank"
      rel="noreferrer"
      title={t('shell:newTab')}
      leftSection={<IconWorld size={18} />}
    >
      {t('shell:publicPage.open')}
    </Button>
  )
}
