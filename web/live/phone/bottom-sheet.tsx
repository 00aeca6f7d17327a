import { ActionIcon } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './bottom-sheet.module.css'
import { type SheetHeight, sheetHeights, stepFrom } from './sheet-heights.ts'
import { useSheetDrag } from './use-sheet-drag.ts'

interface Props {
  label: string
  height: SheetHeight
  onHeight: (height: SheetHeight) => void
  /** Content beside the buttons; always visible. */
  header: ReactNode
  /** Content below the header; visible at the lowest height too. */
  subheader: ReactNode
  /** Height in pixels of the content that is visible at the lowest height. */
  previewPixels?: number
  children: ReactNode
}

const stepByKey: Readonly<Record<string, (height: SheetHeight) => SheetHeight>> = {
  ArrowUp: (height) => stepFrom(height, 1),
  ArrowRight: (height) => stepFrom(height, 1),
  ArrowDown: (height) => stepFrom(height, -1),
  ArrowLeft: (height) => stepFrom(height, -1),
  Home: () => 'peek',
  End: () => 'full',
}

/**
 * A sheet over the lower part of the map with three heights. It is dragged by its header, or moved with its
 * buttons or keys. Its heights are relative to the parent element.
 */
export function BottomSheet({
  label,
  height,
  onHeight,
  header,
  subheader,
  previewPixels = 0,
  children,
}: Props) {
  const { t } = useTranslation()
  const { ref, height: headerPixels } = useElementSize()
  const peekPixels = headerPixels + previewPixels
  const { pixels, handlers } = useSheetDrag(peekPixels, onHeight, () =>
    onHeight(height === 'peek' ? 'half' : 'peek'),
  )
  const index = sheetHeights.indexOf(height)
  const heights: Record<SheetHeight, string> = {
    peek: `calc(${peekPixels}px + env(safe-area-inset-bottom))`,
    half: `max(50%, ${peekPixels}px)`,
    full: '100%',
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    const nextHeight = stepByKey[event.key]?.(height)
    if (nextHeight === undefined) return
    event.preventDefault()
    onHeight(nextHeight)
  }
  // Raises the sheet when the keyboard focus moves into content below the edge of the screen.
  const handleFocus = ({ target }: FocusEvent): void => {
    if (height === 'peek' && target.matches(':focus-visible')) onHeight('half')
  }
  return (
    <section
      className={styles['sheet']}
      aria-label={label}
      data-sheet={height}
      data-held={pixels === null ? undefined : true}
      style={{ height: pixels ?? heights[height] }}
    >
      <div ref={ref} className={styles['head']}>
        <div className={styles['bar']}>
          <div
            className={styles['grip']}
            role="slider"
            tabIndex={0}
            aria-label={t('live:sheet.height')}
            aria-orientation="vertical"
            aria-valuemin={0}
            aria-valuemax={sheetHeights.length - 1}
            aria-valuenow={index}
            aria-valuetext={t(`live:sheet.${height}`)}
            onKeyDown={handleKeyDown}
            {...handlers}
          />
          <div className={styles['status']}>{header}</div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={t('live:sheet.lower')}
            disabled={index === 0}
            onClick={() => onHeight(stepFrom(height, -1))}
          >
            <IconChevronDown size={22} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={t('live:sheet.raise')}
            disabled={index === sheetHeights.length - 1}
            onClick={() => onHeight(stepFrom(height, 1))}
          >
            <IconChevronUp size={22} />
          </ActionIcon>
        </div>
        {subheader}
      </div>
      <div
        className={styles['body']}
        hidden={height === 'peek' && previewPixels === 0 && pixels === null}
        onFocus={handleFocus}
      >
        {children}
      </div>
    </section>
  )
}
