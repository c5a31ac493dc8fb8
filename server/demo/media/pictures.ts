import { makeStoryRandom, type StoryRandom } from '../random.ts'
import { type Color, type Drawing, encodePng } from './png.ts'

/** Generated images that customers and agents send; no photographs are used. */
export type Scene = 'valley' | 'lake' | 'cabin' | 'cloth' | 'receipt' | 'smile'

/** The lake at a moment, for a video frame. */
export const drawLakeAt = (seed: number, seconds: number): Drawing => drawLake(makeStoryRandom(seed), seconds)

export const makePicture = (scene: Scene, seed: number): Buffer =>
  encodePng(drawingByScene[scene](makeStoryRandom(seed)))

const mixColors = (from: Color, to: Color, share: number): Color => [
  Math.round(from[0] + (to[0] - from[0]) * share),
  Math.round(from[1] + (to[1] - from[1]) * share),
  Math.round(from[2] + (to[2] - from[2]) * share),
]
const colorRamp = (from: Color, to: Color, steps: number): Color[] =>
  Array.from({ length: steps }, (_, i) => mixColors(from, to, i / Math.max(1, steps - 1)))

/** A ridge of hills: its height at each point. */
function makeRidge(random: StoryRandom, base: number, rough: number): (x: number) => number {
  const waves = [1, 2.3, 4.1, 9.7].map((pitch) => ({
    pitch: pitch * random.between(0.8, 1.2),
    at: random.between(0, 7),
    height: rough / pitch,
  }))
  return (x) => base + waves.reduce((sum, w) => sum + Math.sin((x / 640) * Math.PI * w.pitch + w.at) * w.height, 0)
}

const skyPalettes: { sky: [Color, Color]; far: Color; near: Color; sun: Color }[] = [
  {
    sky: [
      [94, 142, 196],
      [231, 216, 198],
    ],
    far: [122, 145, 168],
    near: [38, 66, 58],
    sun: [255, 244, 214],
  },
  {
    sky: [
      [74, 76, 128],
      [248, 178, 124],
    ],
    far: [122, 98, 124],
    near: [44, 38, 62],
    sun: [255, 226, 170],
  },
  {
    sky: [
      [120, 178, 208],
      [228, 238, 236],
    ],
    far: [140, 172, 168],
    near: [46, 92, 62],
    sun: [255, 252, 236],
  },
]
const skySteps = 40
const landscapeSize = { width: 640, height: 420 }

/** Sky, a sun and rows of hills; `front` draws the foreground, with the palette entries after those of the hills. */
function drawLandscape(
  random: StoryRandom,
  more: Color[],
  front: (x: number, y: number, colour: number) => number | null,
): Drawing {
  const { sky, far, near, sun } = random.pick(skyPalettes)
  const palette = [...colorRamp(sky[0], sky[1], skySteps), sun, ...colorRamp(far, near, 4), ...more]
  const hills = [0, 1, 2, 3].map((i) => makeRidge(random, 190 + i * 42, 34 - i * 4))
  const [sunX, sunY] = [random.between(120, 520), random.between(60, 130)]
  return {
    ...landscapeSize,
    palette,
    paint: (x, y) => {
      const before = front(x, y, skySteps + 5)
      if (before !== null) return before
      for (let i = 3; i >= 0; i--) if (y > (hills[i] as (x: number) => number)(x)) return skySteps + 1 + i
      if (Math.hypot(x - sunX, y - sunY) < 26) return skySteps
      return Math.min(skySteps - 1, Math.floor((y / 260) * skySteps))
    },
  }
}

const waterColors: Color[] = colorRamp([196, 214, 222], [62, 106, 132], 10)
function drawLake(random: StoryRandom, time = 0): Drawing {
  const shore = makeRidge(random, 300, 8)
  return drawLandscape(random, waterColors, (x, y, first) => {
    const depth = y - shore(x)
    if (depth < 0) return null
    // Broken stripes of light on the water.
    const ripple = Math.sin(y * 0.9 - time * 2 + Math.sin(x * 0.05 + time) * 3) > 0.86 ? -2 : 0
    return first + Math.max(0, Math.min(9, Math.floor(depth / 12) + ripple))
  })
}

const timberColors: Color[] = [
  [92, 58, 40],
  [116, 76, 52],
  [62, 40, 32],
  [250, 214, 130],
  [70, 102, 58],
  [150, 62, 50],
]
function drawCabin(random: StoryRandom): Drawing {
  const left = random.integer(190, 300)
  return drawLandscape(random, timberColors, (x, y, first) => {
    const [u, v] = [x - left, y - 220]
    if (v > 128) return first + 4
    if (v < 0 && v > -64 && Math.abs(u - 90) < (v + 64) * 1.9) return first + 5
    if (u < 0 || u > 180 || v < 0) return null
    const window = v > 34 && v < 76 && ((u > 22 && u < 60) || (u > 120 && u < 158))
    if (window) return first + 3
    if (v > 46 && u > 76 && u < 104) return first + 2
    return first + (Math.floor(v / 9) % 2)
  })
}

/** A close-up of a jumper on a chair. */
function drawCloth(random: StoryRandom): Drawing {
  const palette = colorRamp([34, 78, 58], [74, 142, 104], 24)
  const skew = random.between(0.6, 1.4)
  return {
    width: 480,
    height: 480,
    palette,
    paint: (x, y) => {
      const fold = Math.sin((x * skew + y * 0.4) / 60) * 6 + Math.sin((x - y) / 90) * 4
      const stitch = (Math.floor(x / 6) + Math.floor(y / 4)) % 2 ? 2 : 0
      return Math.max(0, Math.min(23, Math.round(12 + fold + stitch)))
    },
  }
}

/** A bank's payment screen: a green circle, and bars in place of text. */
function drawReceipt(random: StoryRandom): Drawing {
  const lines = Array.from({ length: 9 }, (_, i) => ({ y: 230 + i * 34, wide: random.integer(90, 250) }))
  return {
    width: 400,
    height: 600,
    palette: [
      [246, 247, 249],
      [32, 150, 96],
      [255, 255, 255],
      [203, 209, 217],
      [84, 94, 108],
    ],
    paint: (x, y) => {
      const round = Math.hypot(x - 200, y - 120)
      if (round < 46) return Math.abs(y - 136 + Math.abs(x - 192) * 0.8) < 6 && x > 176 && x < 226 ? 2 : 1
      const line = lines.find((l) => y >= l.y && y < l.y + 12)
      if (line && x > 40 && x < 40 + line.wide) return 3
      if (line && x > 310 && x < 360) return 4
      return x > 20 && x < 380 && y > 30 && y < 570 ? 2 : 0
    },
  }
}

/** A sticker: a face on a transparent background. */
function drawSmile(): Drawing {
  return {
    width: 256,
    height: 256,
    palette: [
      [0, 0, 0, 0],
      [255, 206, 84],
      [222, 160, 40],
      [74, 52, 20],
      [255, 255, 255],
    ],
    paint: (x, y) => {
      const [u, v] = [x - 128, y - 128]
      const round = Math.hypot(u, v)
      if (round > 122) return 0
      if (round > 114) return 4
      const eye = Math.min(Math.hypot(u - 40, v + 30), Math.hypot(u + 40, v + 30))
      if (eye < 14) return 3
      if (Math.abs(Math.hypot(u, v - 6) - 62) < 7 && v > 24) return 3
      return round > 100 ? 2 : 1
    },
  }
}

const drawingByScene: Record<Scene, (random: StoryRandom) => Drawing> = {
  valley: (random) => drawLandscape(random, [], () => null),
  lake: (random) => drawLake(random),
  cabin: drawCabin,
  cloth: drawCloth,
  receipt: drawReceipt,
  smile: drawSmile,
}
