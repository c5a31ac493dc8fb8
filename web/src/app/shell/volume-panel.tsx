import { Button, Slider } from '@mantine/core'
import { IconPlayerPlay, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { playNotificationSound } from '../../lib/sound.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { texts } from './texts.ts'
import classes from './volume.module.css'

const ownTexts = defineTexts({
  es: { testSound: 'Probar sonido' },
  pt: { testSound: 'Testar o som' },
  en: { testSound: 'Test sound' },
})

type Props = { volume: number; setVolume: (volume: number) => void }

export function VolumePanel({ volume, setVolume }: Props) {
  const words = useTexts(texts)
  const { testSound } = useTexts(ownTexts)
  const Icon = volume === 0 ? IconVolumeOff : IconVolume
  return (
    <>
      <div className={classes.row}>
        <Icon size={18} stroke={1.75} className={classes.icon} aria-hidden="true" />
        <Slider
          className={classes.slider ?? ''}
          classNames={{ track: classes.track ?? '', bar: classes.bar ?? '', thumb: classes.thumb ?? '' }}
          thumbLabel={words.volume}
          label={null}
          min={0}
          max={1}
          step={0.1}
          size={4}
          thumbSize={16}
          value={volume}
          onChange={(value) => setVolume(Math.round(value * 10) / 10)}
        />
        <span className={classes.value}>{formatNumber(volume, 1)}</span>
      </div>
      <Button
        variant="default"
        size="xs"
        mt={12}
        leftSection={<IconPlayerPlay size={15} stroke={2} />}
        onClick={() => playNotificationSound(volume)}
      >
        {testSound}
      </Button>
    </>
  )
}
