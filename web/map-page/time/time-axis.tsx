import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import {
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconX,
} from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimeBucket } from '#contract/spatial.ts'
import { formatValue, unitAfter } from '../by-shape/format-value.ts'
import { timeBuckets } from '../by-shape/map-search.ts'
import type { AxisPlaying, AxisSteps } from './axis-playing.ts'
import { bucketName } from './bucket-name.ts'
import { Scrubber } from './scrubber.tsx'
import styles from './time-axis.module.css'
import type { AxisFocus } from './use-axis-focus.ts'

/** An area with its values by bucket. */
export interface AxisArea {
  name: string
  steps: AxisSteps
}

interface Props {
  playing: AxisPlaying
  /** Unit of a value, and its singular. */
  unitText: string
  unitSingular: string
  /** Bucket sizes to choose from. */
  offered?: readonly TimeBucket[]
  onBucketChange: (by: TimeBucket) => void
  onClose: () => void
  /** Shown below the axis. */
  footer: ReactNode
  focus?: AxisFocus | undefined
  area?: AxisArea | null
}

/** Milliseconds per bucket: hours slowly, days fast. */
const bucketMs: Record<TimeBucket, number> = { hour_of_day: 900, day: 450 }
/** The position is written to the URL this long after the last move. */
const settleMs = 300

/** Plays a map through time, or steps through it. */
export function TimeAxis({
  playing,
  unitText,
  unitSingular,
  offered = timeBuckets,
  onBucketChange,
  onClose,
  footer,
  focus,
  area = null,
}: Props) {
  const { t, i18n } = useTranslation()
  const { playback, head } = playing
  const prefersNoMotion = useReducedMotion(undefined, { getInitialValueInEffect: false })
  const [wantsPlay, setWantsPlay] = useState(false)
  const isPlaying = wantsPlay && !prefersNoMotion && playback.buckets.length > 1
  const index = useSyncExternalStore(head.subscribe, head.read)
  usePlaying(playing, isPlaying)
  const moveTo = (target: number): void => {
    setWantsPlay(false)
    head.moveTo(target)
  }
  const steps = area?.steps ?? playback
  const currentResult = steps.resultAt(index)
  const unit = unitAfter(currentResult.total, currentResult.unit, unitText, unitSingular)
  const name = bucketName(t, i18n.language, playback.by, playback.buckets[index])
  return (
    <section className={styles['axis']} aria-label={t('evaluation:time.label')}>
      <div className={styles['bar']}>
        <PlayButtons
          index={index}
          lastIndex={playback.buckets.length - 1}
          isPlaying={isPlaying}
          onPlay={prefersNoMotion ? null : () => setWantsPlay(!isPlaying)}
          onMove={moveTo}
        />
        <p className={styles['now']} data-bucket={playback.buckets[index]}>
          <strong>{name}</strong>{' '}
          <span>
            {area ? `${area.name}: ` : ''}
            {formatValue(currentResult.total, currentResult.unit)} {unit}
          </span>
        </p>
        {offered.length < 2 ? null : (
          <SegmentedControl
            size="xs"
            aria-label={t('evaluation:time.by')}
            value={playback.by}
            data={offered.map((option) => ({ value: option, label: t(`evaluation:time.${option}`) }))}
            onChange={(selected) => {
              focus?.passFocusToAxis()
              onBucketChange(timeBuckets.find((bucket) => bucket === selected) ?? 'day')
            }}
          />
        )}
        <AxisButton
          label={t('evaluation:time.close')}
          icon={<IconX size={18} />}
          onClick={() => {
            focus?.passFocusToButton()
            onClose()
          }}
        />
      </div>
      {playback.buckets.length === 0 ? (
        <p className={styles['none']}>{t('evaluation:time.none')}</p>
      ) : (
        <Scrubber
          steps={steps}
          index={index}
          text={t('evaluation:time.value', {
            bucket: area ? `${area.name}, ${name}` : name,
            value: formatValue(currentResult.total, currentResult.unit),
            unit,
          })}
          onStep={moveTo}
          onPlay={() => (prefersNoMotion ? head.next() : setWantsPlay(!isPlaying))}
          footer={footer}
          focusRef={focus?.axisRef}
        />
      )}
    </section>
  )
}

/** Moves to the next bucket at an interval while playing; otherwise writes the position to the URL after a move. */
function usePlaying({ playback, head, savePosition }: AxisPlaying, isPlaying: boolean): void {
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => head.next(), bucketMs[playback.by])
    return () => {
      clearInterval(timer)
      savePosition()
    }
  }, [isPlaying, head, playback.by, savePosition])
  useEffect(() => {
    if (isPlaying) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = head.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(savePosition, settleMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [isPlaying, head, savePosition])
}

interface PlayButtonsProps {
  index: number
  lastIndex: number
  isPlaying: boolean
  /** Null if the user prefers no motion. */
  onPlay: (() => void) | null
  onMove: (index: number) => void
}

/** Back, play or pause, and forward. */
function PlayButtons({ index, lastIndex: last, isPlaying, onPlay, onMove }: PlayButtonsProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['buttons']}>
      <AxisButton
        label={t('evaluation:time.back')}
        icon={<IconPlayerSkipBack size={18} />}
        isDisabled={index === 0}
        onClick={() => onMove(index - 1)}
      />
      {onPlay ? (
        <AxisButton
          label={t(isPlaying ? 'evaluation:time.pause' : 'evaluation:time.play')}
          icon={isPlaying ? <IconPlayerPause size={20} /> : <IconPlayerPlay size={20} />}
          onClick={onPlay}
        />
      ) : null}
      <AxisButton
        label={t('evaluation:time.on')}
        icon={<IconPlayerSkipForward size={18} />}
        isDisabled={index >= last}
        onClick={() => onMove(index + 1)}
      />
    </div>
  )
}

interface AxisButtonProps {
  label: string
  icon: ReactNode
  isDisabled?: boolean
  onClick: () => void
}

function AxisButton({ label, icon, isDisabled = false, onClick }: AxisButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        disabled={isDisabled}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
