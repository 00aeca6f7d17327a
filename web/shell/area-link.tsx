import { Tooltip, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Area } from './areas.ts'
import styles from './shelf.module.css'

interface Props {
  area: Area
  regionId: string
  isHere: boolean
  isOpen: boolean
  onOpen: () => void
  onLeave: () => void
}

/** One area of the shelf: a link to its page, or the button of its drawer. */
export function AreaLink({ area, regionId, isHere, isOpen, onOpen, onLeave }: Props) {
  const { t } = useTranslation()
  const face = (
    <>
      <area.Icon size={22} stroke={1.6} aria-hidden="true" />
      <span className={styles['label']}>{t(`shell:areas.${area.key}`)}</span>
    </>
  )
  const name = t(`shell:areaNames.${area.key}`)
  return (
    <Tooltip label={name} position="right" disabled={name === t(`shell:areas.${area.key}`)}>
      {area.drawer ? (
        <UnstyledButton className={styles['area'] ?? ''} data-here={isHere || undefined} aria-expanded={isOpen} aria-label={name} onClick={onOpen}>{face}</UnstyledButton>
      ) : (
        <Link className={styles['area']} data-here={isHere || undefined} aria-current={isHere ? 'page' : undefined} aria-label={name} to={`/${regionId}/${area.pages[0].path}`} onClick={onLeave}>{face}</Link>
      )}
    </Tooltip>
  )
}
