import { Anchor, Group, Kbd, Table, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import { ContactButton } from './contact-button.tsx'
import { support } from './support.ts'

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const keys = [
    ['T', t('shell:help.table')],
    [t('shell:help.arrows'), t('shell:help.pan')],
    ['+ / −', t('shell:help.zoom')],
    ['Tab', t('shell:help.controls')],
    ['Esc', t('shell:help.clear')],
  ] as const
  return (
    <Dialog title={t('shell:help.title')} onClose={onClose}>
      <Text fw={600}>{t('shell:help.keys')}</Text>
      <Table>
        <Table.Tbody>
          {keys.map(([key, text]) => (
            <Table.Tr key={key}>
              <Table.Td><Kbd>{key}</Kbd></Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="space-between" mt="md">
        <Anchor href={support.helpSite} target="_blank" rel="noreferrer" title={t('shell:newTab')}>
          {t('shell:help.site')} <IconExternalLink size={14} aria-hidden="true" />
        </Anchor>
        <ContactButton about="help" />
      </Group>
    </Dialog>
  )
}
