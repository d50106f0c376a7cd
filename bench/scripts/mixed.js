// mixed.js ROUNDS: objects, maps, closures, typed arrays, regular expressions and JSON for a JavaScript engine.
"use strict";
const rounds = Number(process.argv[2] || 1);

class Vec {
    constructor(x, y) { this.x = x; this.y = y; }
    add(o) { return new Vec(this.x + o.x, this.y + o.y); }
    norm() { return this.x * this.x + this.y * this.y; }
}

function objects(n) {
    let p = new Vec(0, 0), sum = 0;
    const step = new Vec(1, 2);
    for (let i = 0; i < n; i++) { p = p.add(step); sum = (sum + p.norm()) % 1000003; }
    return sum;
}

function life(n, steps) {
    let a = new Uint8Array(n * n), b = new Uint8Array(n * n), seed = 1;
    for (let i = 0; i < n * n; i++) { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; a[i] = seed >>> 30 & 1; }
    for (let s = 0; s < steps; s++) {
        for (let y = 1; y < n - 1; y++)
            for (let x = 1; x < n - 1; x++) {
                const i = y * n + x;
                const k = a[i - n - 1] + a[i - n] + a[i - n + 1] + a[i - 1] + a[i + 1] + a[i + n - 1] + a[i + n] + a[i + n + 1];
                b[i] = k === 3 || (k === 2 && a[i]) ? 1 : 0;
            }
        [a, b] = [b, a];
    }
    return a.reduce((x, y) => x + y, 0);
}

function words(n) {
    const seen = new Map();
    for (let i = 0; i < n; i++) {
        const w = `w${i * 7919 % 1009}-${"xyz".repeat(i % 4)}`;
        for (const part of w.match(/[a-z]+|\d+/g)) seen.set(part, (seen.get(part) || 0) + 1);
    }
    return JSON.stringify([...seen.entries()].sort((x, y) => x[0] < y[0] ? -1 : 1)).length;
}

for (let r = 0; r < rounds; r++)
    console.log(r, objects(200000), life(256, 20), words(20000));
