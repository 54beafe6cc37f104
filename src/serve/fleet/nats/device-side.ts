// The other machines of the fleet as this one hears them: a card makes a host of the list. Owns: the newest card of each.

import type { Clock } from "../../../core/base/clock.ts";
import { isFault } from "../../../core/base/fault.ts";
import type { Bus } from "../../../core/fleet/bus.ts";
import { readSubject, subjects } from "../../../core/fleet/subjects.ts";
import { type Card, openCard } from "../../../host/fleet/card.ts";
import type { Log } from "../../log.ts";
import { farJson } from "../far-json.ts";
import type { Hosts } from "../hosts.ts";
import type { Member, Membership } from "../members/membership.ts";
import { met } from "../members/news.ts";
import { NatsHost } from "./nats-host.ts";
import { REVOKED } from "./wire.ts";

interface DeviceSideParts {
  readonly bus: Bus;
  readonly member: Member;
  readonly membership: Membership;
  readonly hosts: Hosts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Anybody on the broker can say them: what is longer is neither, and is not read. */
const [CARD_BYTES_MAX, NEWS_BYTES_MAX] = [192 << 10, 1 << 10];
/** A card's fields; its certificate is one of them. */
const CARD_PARTS_MAX = 64;
/** Of one host. A card counts for an hour, and a daemon seldom starts so often in one. */
const PAST_MAX = 64;
/** A thousand that come at once are written down together. */
const MEET_MS = 100;
const NEVER = { onCancel: () => undefined };

export class DeviceSide {
  #parts: DeviceSideParts;
  #cards = new Map<string, Card>();
  /** Of each host: daemons that were followed by another one. What they said is nobody's card any more. */
  #past = new Map<string, readonly string[]>();
  #hosts = new Map<string, NatsHost>();
  /** Certificates of machines that came just now. */
  #met = new Set<string>();
  #ends: (() => void)[];
  #list: string;

  constructor(parts: DeviceSideParts) {
    this.#parts = parts;
    const { bus, member, membership } = parts;
    const here = bus.subscribe(subjects.here("*"), ({ data }) => {
      if (data.length <= CARD_BYTES_MAX) this.#carded(Buffer.from(data).toString("utf8"));
    });
    const news = bus.subscribe(subjects.news("*"), ({ subject, data }) => {
      const said = readSubject(subject);
      const isNews = said?.what === "news" && data.length <= NEWS_BYTES_MAX;
      if (isNews) this.#hosts.get(said.host)?.changed(Object(farJson(data)).seq);
    });
    const outs = bus.subscribe(subjects.outs(member.device), ({ subject, data }) => {
      const said = readSubject(subject);
      if (said?.what === "out") this.#hosts.get(said.host)?.heard(said.stream, data);
    });
    const status = bus.onStatus(() => this.#stands());
    const changed = membership.onChange(() => void this.#listChanged());
    this.#list = membership.revoked().text;
    this.#ends = [() => here.close(), () => news.close(), () => outs.close(), status, changed];
    this.#stands();
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    this.#met.clear();
    await Promise.all([...this.#hosts.values()].map(({ name }) => this.#parts.hosts.remove(name)));
  }

  /** A machine that was away may have missed who was put out, or know of somebody whom we do not. */
  async #tellList(host: NatsHost, list: string): Promise<void> {
    const answer = await host.call(REVOKED, { list }, { role: "person", actor: "person" }, NEVER);
    const theirs = isFault(answer) ? undefined : Object(answer).list;
    if (typeof theirs === "string" && theirs !== "" && theirs !== list) this.#parts.membership.takeRevoked(theirs);
  }

  #stands(): void {
    const { bus } = this.#parts;
    const why = bus.status === "connected" ? undefined : (bus.reason ?? "no connection");
    for (const host of this.#hosts.values()) host.away(why);
    if (why === undefined) bus.publish(subjects.who, new Uint8Array());
  }

  #carded(text: string): void {
    const { member, membership, clock, log } = this.#parts;
    const claimed = this.#claimed(text);
    if (claimed === undefined) return;
    const trust = { root: member.root, revoked: membership.revoked(), now: clock.now() };
    const known = this.#cards.get(claimed);
    // One that was away for long may have another clock since.
    const last = known && this.#hosts.get(known.host)?.now.reach !== "gone" ? known : undefined;
    const card = openCard(text, trust, last);
    if (isFault(card))
      return card.code === "fleet.replayed" ? undefined : log.say("info", `a card was refused: ${card.message}`);
    if (card.host === member.host || this.#past.get(card.host)?.includes(card.epoch)) return;
    if (known && known.epoch !== card.epoch) {
      const past = [known.epoch, ...(this.#past.get(card.host) ?? [])];
      this.#past.set(card.host, past.slice(0, PAST_MAX));
    }
    this.#cards.set(card.host, card);
    const host = this.#hosts.get(card.host) ?? this.#made(card);
    const isBack = host?.now.reach !== "here" || known?.epoch !== card.epoch;
    host?.carded(card);
    const list = membership.revoked().text;
    if (host && isBack && list !== "") void this.#tellList(host, list);
  }

  /** Whose card it says it is. It is believed only when it is opened. */
  #claimed(text: string): string | undefined {
    const said = farJson(Buffer.from(text.split(".", 1)[0] ?? "", "base64url"), CARD_PARTS_MAX);
    const host = Object(said).host;
    return typeof host === "string" ? host : undefined;
  }

  #made(card: Card): NatsHost | undefined {
    const { bus, member, clock, hosts, log } = this.#parts;
    this.#meet(card);
    // Two machines may have one name. The later one goes by its id.
    const name = hosts.has(card.name) || card.name === hosts.me ? card.host : card.name;
    const host = new NatsHost(card, { bus, member, clock, name, address: `${member.url} ${card.host}` });
    const wrong = hosts.add(host);
    if (wrong) {
      log.error(wrong.message);
      return undefined;
    }
    this.#hosts.set(card.host, host);
    return host;
  }

  /** So that a person here can say at once what it may do. */
  #meet({ cert }: Card): void {
    const { clock } = this.#parts;
    if (this.#met.size === 0) clock.after(MEET_MS, () => this.#keepMet());
    this.#met.add(cert);
  }

  #keepMet(): void {
    const { membership, member, log } = this.#parts;
    const certs = [...this.#met];
    this.#met.clear();
    try {
      met(membership.files, member.root, certs);
    } catch (error) {
      // A full disk, or a file that is not ours: the next news has it.
      log.error(error);
    }
  }

  /** All machines that are here are told who was put out. */
  async #listChanged(): Promise<void> {
    const { serials, text } = this.#parts.membership.revoked();
    if (text === this.#list) return;
    this.#list = text;
    for (const host of this.#hosts.values()) void this.#tellList(host, text);
    for (const [id, card] of this.#cards) if (serials.has(card.serial)) await this.#forget(id);
    // Whoever came while its name was another machine's has it from now on: its next card makes it anew.
    for (const [id, { name }] of this.#cards) {
      const known = this.#hosts.get(id)?.name;
      if (known !== undefined && known !== name && !this.#parts.hosts.has(name)) await this.#forget(id);
    }
    this.#parts.bus.publish(subjects.who, new Uint8Array());
  }

  async #forget(id: string): Promise<void> {
    const host = this.#hosts.get(id);
    this.#hosts.delete(id);
    this.#cards.delete(id);
    if (host) await this.#parts.hosts.remove(host.name);
  }
}
