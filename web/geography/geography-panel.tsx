import { IconStack2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { SidePanel, type SidePanelProps } from '#web/map-page/side-panel.tsx'

/** The panel beside the map: the layers, or the editor's tools. */
export function GeographyPanel(props: Omit<SidePanelProps, 'words'>) {
  const { t } = useTranslation()
  return (
    <SidePanel
      {...props}
      words={{
        name: props.title,
        open: t('geography:layers'),
        hide: t('geography:hidePanel'),
        icon: <IconStack2 size={18} />,
      }}
    />
  )
}
